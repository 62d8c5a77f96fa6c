package cmd

import (
	"fmt"
	"runtime"
	"runtime/debug"

	"github.com/spf13/cobra"
)

func (a *app) version() *cobra.Command {
	return &cobra.Command{
		Use:   "version",
		Short: "Print the version of gatepool",
		Long: `Print the version of gatepool and what it was built with. The version is a tag
where gatepool was installed from one, what Go makes of a commit where it was
built in a checkout, and (devel) where Go knows neither.`,
		Example: `  gatepool version
  gatepool --version`,
		Args: arguments(0, 0),
		RunE: func(*cobra.Command, []string) error {
			_, err := fmt.Fprintf(a.stdout, "gatepool version %s\n", versionText())
			return err
		},
	}
}

// versionText is what Go put into the program about its version.
func versionText() string {
	version := "(devel)"
	if info, ok := debug.ReadBuildInfo(); ok && info.Main.Version != "" {
		version = info.Main.Version
	}
	return fmt.Sprintf("%s (%s, %s/%s)", version, runtime.Version(), runtime.GOOS, runtime.GOARCH)
}
