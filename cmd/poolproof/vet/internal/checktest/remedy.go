package checktest

import "regexp"

// remedy matches a message that ends with what its reader is to do.
var remedy = regexp.MustCompile(`; (ask|assign|change|clear|copy|defer|drop|give|hand|keep|leave|let|make|move|name|pass|put|remove|reset|return|set|store|turn|use|write) [^;]+$`)

// HasRemedy reports whether the last clause of a message says what to do: it begins with a verb.
func HasRemedy(message string) bool { return remedy.MatchString(message) }
