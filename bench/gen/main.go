// Gen writes a state file of a size that hardly any tenant reaches, for
// measuring: 100 host pools with 10,000 hosts and 100,000 sessions, about 11 MB,
// in the form that gatepool writes. The same size gives the same bytes.
package main

import (
	"bufio"
	"flag"
	"fmt"
	"os"
	"time"
)

func main() {
	hosts := flag.Int("hosts", 100, "session hosts in each of the 100 pools")
	sessions := flag.Int("sessions", 10, "sessions on each host")
	pools := flag.Int("pools", 100, "host pools")
	flag.Parse()
	w := bufio.NewWriter(os.Stdout)
	write(w, *pools, *hosts, *sessions)
	if err := w.Flush(); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func write(w *bufio.Writer, pools, hosts, sessions int) {
	now := time.Date(2026, 11, 29, 8, 0, 0, 0, time.UTC)
	user := 0
	for p := range pools {
		if p > 0 {
			fmt.Fprintln(w, "---")
		}
		fmt.Fprintf(w, "kind: HostPool\napiVersion: gatepool/v1\nname: hp-%03d\nresourceGroup: rg-avd-%02d\nlocation: westeurope\n", p, p%20)
		fmt.Fprintf(w, "hostPoolType: Pooled\nloadBalancerType: %s\nmaxSessionLimit: 16\nstartVMOnConnect: true\nsessionHosts:\n",
			[]string{"BreadthFirst", "DepthFirst"}[p%2])
		for h := range hosts {
			fmt.Fprintf(w, "  - name: avd-%03d-%04d.contoso.example\n    status: Available\n    allowNewSession: %t\n    agentVersion: 1.0.11388.1600\n    lastHeartBeat: %s\n",
				p, h, h%10 != 9, now.Add(time.Duration(h)*time.Second).Format(time.RFC3339))
			if sessions > 0 {
				fmt.Fprintln(w, "    sessions:")
			}
			for s := range sessions {
				fmt.Fprintf(w, "      - {id: \"%d\", user: user%06d@contoso.example, state: %s, created: %s}\n",
					s+1, user, []string{"Active", "Active", "Disconnected"}[s%3], now.Add(-time.Duration(user%600)*time.Minute).Format(time.RFC3339))
				user++
			}
		}
	}
}
