// Command gatepool describes, changes and explains on-premises data gateway
// clusters and Azure Virtual Desktop host pools in a YAML file.
package main

import (
	"os"

	"gatepool/cmd"
)

func main() { os.Exit(cmd.Main(os.Args[1:], os.Stdin, os.Stdout, os.Stderr)) }
