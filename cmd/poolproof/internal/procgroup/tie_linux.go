package procgroup

import (
	"os/exec"
	"syscall"
)

func tie(cmd *exec.Cmd) { cmd.SysProcAttr.Pdeathsig = syscall.SIGKILL }
