package findcmd

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
)

// shown is a file as the user would name it.
func shown(file string) string {
	here, err := os.Getwd()
	if err != nil {
		return file
	}
	rel, err := filepath.Rel(here, file)
	if err != nil || strings.HasPrefix(rel, ".."+string(filepath.Separator)) {
		return file
	}
	return rel
}

// shownFolder is a folder as an argument of the command.
func shownFolder(dir string) string {
	rel := shown(dir)
	if filepath.IsAbs(rel) || rel == "." {
		return rel
	}
	return "." + string(filepath.Separator) + rel
}

// percent is a part in percent, with a digit after the point below 10 %.
func percent(part float64) string {
	if p := 100 * part; p < 9.95 {
		return fmt.Sprintf("%.1f%%", p)
	}
	return fmt.Sprintf("%.0f%%", 100*part)
}
