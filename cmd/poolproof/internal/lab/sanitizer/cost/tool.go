package cost

// CaptureTool is the name by which the runner of the laboratory finds [Capture].
const CaptureTool = "capture"
