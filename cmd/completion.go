package cmd

import (
	"io"

	"github.com/spf13/cobra"
)

// A CompletionScript teaches one shell to complete gatepool's command line.
type CompletionScript struct {
	Shell string // as in gatepool completion SHELL
	File  string // its usual name
	Text  string
}

// CompletionScripts lists the scripts, one a shell.
func CompletionScripts() []CompletionScript {
	return []CompletionScript{
		{"bash", "gatepool.bash", bashScript},
		{"zsh", "_gatepool", zshScript},
		{"fish", "gatepool.fish", fishScript},
		{"powershell", "gatepool.ps1", powerShellScript},
	}
}

func (a *app) completion() *cobra.Command {
	return &cobra.Command{
		Use:   "completion bash|zsh|fish|powershell",
		Short: "Print the script that makes TAB complete",
		Long: `Print the script by which a shell completes gatepool's command line: commands,
cmdlets, flags, their values, and the names in the state file. Load it where the
shell starts:

  bash        echo 'source <(gatepool completion bash)' >> ~/.bashrc
              (bash 3.2, macOS: gatepool completion bash > FILE, and source FILE)
  zsh         echo 'source <(gatepool completion zsh)' >> ~/.zshrc, after compinit;
              or save it as _gatepool in a folder of $fpath
  fish        gatepool completion fish > ~/.config/fish/completions/gatepool.fish
  PowerShell  in $PROFILE, for 5.1 and 7:
              gatepool completion powershell | Out-String | Invoke-Expression

The bash-completion package is not needed. Names come from the file that --state
on the line names, or GATEPOOL_STATE, or gatepool.yaml. TAB runs nothing but
gatepool, never takes longer than a second and never prints an error.`,
		Example: `  gatepool completion bash
  gatepool completion powershell`,
		Args: func(c *cobra.Command, args []string) error {
			if err := arguments(1, 1)(c, args); err != nil {
				return err
			}
			if _, ok := completionScript(args[0]); !ok {
				return invalidValue(args[0], "the shell is %q; expected bash, zsh, fish or powershell", args[0])
			}
			return nil
		},
		RunE: func(_ *cobra.Command, args []string) error {
			s, _ := completionScript(args[0])
			_, err := io.WriteString(a.stdout, s.Text)
			return err
		},
	}
}

func completionScript(shell string) (CompletionScript, bool) {
	for _, s := range CompletionScripts() {
		if squash(s.Shell) == squash(shell) {
			return s, true
		}
	}
	return CompletionScript{}, false
}
