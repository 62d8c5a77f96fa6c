package cmd

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strconv"
	"time"

	"github.com/spf13/cobra"

	"gatepool/pkg/advice"
	"gatepool/pkg/balance"
	"gatepool/pkg/gateway"
	"gatepool/pkg/hostpool"
	"gatepool/pkg/output"
	"gatepool/state"
)

type connectOptions struct {
	hostPool *string
	user     *string
	host     *string
	cluster  *string
	seed     uint64
	at       time.Time
	explain  bool
	whatIf   bool
}

func (a *app) connect() *cobra.Command {
	var o connectOptions
	var seed, at *string
	c := &cobra.Command{
		Use:   "connect (--hostpool POOL --user USER | --cluster CLUSTER)",
		Short: "Decide where a user or a request lands, and say why",
		Long: `Run the selection engine once on the state file. With --hostpool it decides
which session host a user gets, and records the session; with --cluster it
decides which member takes a request, and records nothing but the position of a
round robin. --what-if records nothing at all.

--explain adds what became of every host or member, with the exact probability
that each had. Chance comes from a seed that is printed; --seed repeats it.

A refusal is exit code 4. It says how many hosts stand in the way for which
reason, and what would help.`,
		Example: `  gatepool connect --hostpool hp-eu --user alice@contoso.example
  gatepool connect --hostpool hp-eu --user new.user@contoso.example --what-if --explain
  gatepool connect --cluster finance --at 2026-11-29T08:06:00Z --explain`,
		Args: arguments(0, 0),
		RunE: func(*cobra.Command, []string) error {
			if err := o.complete(a, seed, at); err != nil {
				return err
			}
			if o.cluster != nil {
				return a.runConnectCluster(o)
			}
			return a.runConnectHostpool(o)
		},
	}
	addText(c, &o.hostPool, "hostpool", "host pool to connect to")
	addText(c, &o.user, "user", "user principal name")
	addText(c, &o.host, "host", "the personal desktop that is meant, where a user owns several")
	addText(c, &o.cluster, "cluster", "gateway cluster that gets the request")
	addText(c, &seed, "seed", "repeat the choice of this seed, a whole number")
	addText(c, &at, "at", "the time to decide at, such as 2026-11-29T08:06:00Z (default now)")
	addSwitch(c, &o.explain, "explain", "say what became of every host or member")
	addSwitch(c, &o.whatIf, "what-if", "record nothing (also --dry-run)")
	addSwitch(c, &o.whatIf, "dry-run", "")
	c.Flags().Lookup("dry-run").Hidden = true
	return c
}

// complete checks that the flags go together and fills in the seed and time.
func (o *connectOptions) complete(a *app, seed, at *string) error {
	switch {
	case o.hostPool == nil && o.cluster == nil:
		return usagef("connect needs --hostpool POOL with --user USER, or --cluster CLUSTER").withHint("gatepool connect --help")
	case o.hostPool != nil && o.cluster != nil:
		return usagef("connect takes --hostpool or --cluster, not both")
	case o.hostPool != nil && (o.user == nil || *o.user == ""):
		return usagef("connect --hostpool needs --user USER")
	case o.cluster != nil && (o.user != nil || o.host != nil):
		return usagef("--user and --host go with --hostpool: a gateway cluster takes requests from anyone")
	}
	o.seed = rand.Uint64() >> 11 // 53 bits: what JSON readers keep exactly
	if seed != nil {
		n, err := strconv.ParseUint(*seed, 10, 64)
		if err != nil {
			return invalidValue(*seed, "--seed is %q; expected a whole number", *seed)
		}
		o.seed = n
	}
	o.at = a.now()
	if at != nil {
		t, err := time.Parse(time.RFC3339, *at)
		if err != nil {
			return invalidValue(*at, "--at is %q; expected a time such as 2026-11-29T08:06:00Z", *at)
		}
		o.at = t
	}
	return nil
}

// rng is the source of chance for this connection.
func (o *connectOptions) rng() *rand.Rand { return rand.New(rand.NewPCG(o.seed, 0)) }

// saidByDecision are the rules whose findings a decision tells by itself where
// they bear on it; of other users and hosts connect says nothing.
var saidByDecision = map[string]bool{"user-with-two-sessions": true, "depth-first-without-limit": true, "host-upgrading": true}

// connectHostpoolResult is what connect --hostpool answers.
type connectHostpoolResult struct {
	HostPool  string                    `json:"hostPool"`
	User      string                    `json:"user"`
	Outcome   balance.Outcome           `json:"outcome"`
	Host      string                    `json:"host"`
	Algorithm hostpool.LoadBalancerType `json:"algorithm"`
	Seed      uint64                    `json:"seed"`
	Hosts     []balance.HostVerdict     `json:"hosts"`
	Warnings  []string                  `json:"warnings"`
}

func (a *app) runConnectHostpool(o connectOptions) error {
	if _, err := a.format(); err != nil {
		return err
	}
	var d balance.HostDecision
	var warnings []string
	decide := func(tx *state.Tx) error {
		p, err := tx.Pool(*o.hostPool)
		if err != nil {
			return err
		}
		request := balance.HostRequest{User: *o.user}
		set(&request.Host, o.host)
		d = balance.SelectHost(p, request, o.rng())
		warnings = append(d.Warnings, advice.Summarise(advice.Pool(p, advice.Options{Now: o.at, Disable: saidByDecision, Shown: true}))...)
		if d.Refusal != nil {
			return a.refused(d.Refusal, p.Name, refusedHosts{Causes: d.Refusal.Causes, Seed: o.seed, Hosts: d.Hosts, Warnings: warnings})
		}
		d.Record(p, o.at)
		return nil
	}
	err := a.record(o, decide)
	if d.Refusal != nil && o.explain && a.forEyes() {
		if err := printBeside(a, d.Hosts, hostVerdictColumns()); err != nil {
			return err
		}
	}
	if err != nil {
		return err
	}
	r := connectHostpoolResult{HostPool: d.HostPool, User: d.User, Outcome: d.Outcome, Host: d.Host, Algorithm: d.Algorithm, Seed: o.seed,
		Hosts: []balance.HostVerdict{}, Warnings: append([]string{}, warnings...)}
	if o.explain {
		r.Hosts = d.Hosts
	}
	if err := printOne(a, r, connectHostpoolColumns()); err != nil {
		return err
	}
	if o.explain && a.forEyes() {
		fmt.Fprintln(a.stdout)
		if err := printBeside(a, d.Hosts, hostVerdictColumns()); err != nil {
			return err
		}
	}
	a.warn(warnings)
	return nil
}

// record runs a decision on the state file and keeps what it changes, unless
// nothing is to be recorded.
func (a *app) record(o connectOptions, decide func(*state.Tx) error) error {
	options := state.Options{Path: a.statePath(), LockTimeout: a.lockTimeout}
	if o.whatIf {
		_, err := state.Preview(options, decide)
		return err
	}
	_, err := state.Update(a.untilInterrupt(), options, decide)
	return err
}

// refusedHosts stands beside the error of a refusal in its JSON form.
type refusedHosts struct {
	Causes   map[balance.Verdict]int `json:"causes"`
	Seed     uint64                  `json:"seed"`
	Hosts    []balance.HostVerdict   `json:"hosts"`
	Warnings []string                `json:"warnings"`
}

// refusedMembers is its counterpart for a cluster.
type refusedMembers struct {
	Causes   map[balance.Verdict]int `json:"causes"`
	Seed     uint64                  `json:"seed"`
	Attempts []balance.Attempt       `json:"attempts"`
	Members  []balance.MemberVerdict `json:"members"`
	Warnings []string                `json:"warnings"`
}

// refused makes a refusal an error with its detail.
func (a *app) refused(r *balance.Refusal, target string, detail any) error {
	f := &failure{code: string(r.Code), exit: exitRefused, target: target, hint: r.Help, err: r, detail: detail}
	switch r.Code {
	case balance.CodeNotFound:
		f.exit = exitNotFound
	case balance.CodeUsage:
		f.exit = exitUsage
	}
	return f
}

// connectClusterResult is what connect --cluster answers.
type connectClusterResult struct {
	Cluster       string                  `json:"cluster"`
	LoadBalancing gateway.LoadBalancing   `json:"loadBalancing"`
	Outcome       string                  `json:"outcome"`
	Member        string                  `json:"member"`
	Seed          uint64                  `json:"seed"`
	Attempts      []balance.Attempt       `json:"attempts"`
	Members       []balance.MemberVerdict `json:"members"`
	Warnings      []string                `json:"warnings"`
}

func (a *app) runConnectCluster(o connectOptions) error {
	if _, err := a.format(); err != nil {
		return err
	}
	var d balance.MemberDecision
	var warnings []string
	decide := func(tx *state.Tx) error {
		c, err := tx.Cluster(*o.cluster)
		if err != nil {
			return err
		}
		limits, err := limitsInForce(&tx.Snapshot, c)
		if err != nil {
			return err
		}
		d = balance.SelectMember(c, limits, o.at, o.rng())
		options := advice.Options{Now: o.at}
		if slices.ContainsFunc(d.Attempts, func(t balance.Attempt) bool { return t.Result == balance.Offline }) {
			options.Disable = map[string]bool{"offline-but-enabled": true}
		}
		warnings = append(d.Warnings, advice.Summarise(advice.Cluster(c, limits, options))...)
		if d.Refusal != nil {
			return a.refused(d.Refusal, c.Name, refusedMembers{Causes: d.Refusal.Causes, Seed: o.seed, Attempts: d.Attempts, Members: d.Members, Warnings: warnings})
		}
		d.Record(c)
		return nil
	}
	err := a.record(o, decide)
	if d.Refusal != nil && a.forEyes() {
		if err := a.explainCluster(d, o.explain); err != nil {
			return err
		}
	}
	if err != nil {
		return err
	}
	r := connectClusterResult{Cluster: d.Cluster, LoadBalancing: d.LoadBalancing, Outcome: "Accepted", Member: d.Member, Seed: o.seed,
		Attempts: d.Attempts, Members: []balance.MemberVerdict{}, Warnings: append([]string{}, warnings...)}
	if o.explain {
		r.Members = d.Members
	}
	if err := printOne(a, r, connectClusterColumns()); err != nil {
		return err
	}
	if a.forEyes() && (o.explain || len(d.Attempts) > 1) {
		fmt.Fprintln(a.stdout)
		if err := a.explainCluster(d, o.explain); err != nil {
			return err
		}
	}
	a.warn(warnings)
	return nil
}

// explainCluster shows every attempt, and with explain every member.
func (a *app) explainCluster(d balance.MemberDecision, explain bool) error {
	if len(d.Attempts) > 0 {
		if err := printBeside(a, d.Attempts, attemptColumns()); err != nil || !explain {
			return err
		}
		fmt.Fprintln(a.stdout)
	}
	if !explain {
		return nil
	}
	return printBeside(a, d.Members, memberVerdictColumns())
}

func connectHostpoolColumns() []output.Column[connectHostpoolResult] {
	type row = connectHostpoolResult
	return []output.Column[row]{
		{Name: "host", Value: func(r row) string { return r.Host }},
		{Name: "outcome", Value: func(r row) string { return string(r.Outcome) }},
		{Name: "hostPool", Value: func(r row) string { return r.HostPool }},
		{Name: "algorithm", Value: func(r row) string { return string(r.Algorithm) }},
		{Name: "seed", Value: func(r row) string { return strconv.FormatUint(r.Seed, 10) }, Right: true},
		{Name: "user", Value: func(r row) string { return r.User }, Wide: true},
	}
}

func hostVerdictColumns() []output.Column[balance.HostVerdict] {
	type row = balance.HostVerdict
	return []output.Column[row]{
		{Name: "name", Value: func(r row) string { return r.Name }},
		{Name: "sessions", Value: func(r row) string { return strconv.Itoa(r.Sessions) }, Right: true},
		{Name: "verdict", Value: func(r row) string { return string(r.Verdict) }, Style: func(r row) output.Style { return verdictStyle(r.Verdict) }},
		{Name: "probability", Value: func(r row) string { return probabilityText(r.Probability) }, Right: true},
	}
}

func connectClusterColumns() []output.Column[connectClusterResult] {
	type row = connectClusterResult
	return []output.Column[row]{
		{Name: "member", Value: func(r row) string { return r.Member }},
		{Name: "outcome", Value: func(r row) string { return r.Outcome }},
		{Name: "cluster", Value: func(r row) string { return r.Cluster }},
		{Name: "loadBalancing", Value: func(r row) string { return string(r.LoadBalancing) }},
		{Name: "attempts", Value: func(r row) string { return strconv.Itoa(len(r.Attempts)) }, Right: true},
		{Name: "seed", Value: func(r row) string { return strconv.FormatUint(r.Seed, 10) }, Right: true},
	}
}

func attemptColumns() []output.Column[balance.Attempt] {
	type row = balance.Attempt
	return []output.Column[row]{
		{Name: "member", Value: func(r row) string { return r.Member }},
		{Name: "result", Value: func(r row) string { return string(r.Result) }, Style: func(r row) output.Style { return verdictStyle(r.Result) }},
		{Name: "cpu", Value: func(r row) string { return percentText(r.CPU) }, Right: true},
		{Name: "memory", Value: func(r row) string { return percentText(r.Memory) }, Right: true},
		{Name: "activeOperations", Header: "OPERATIONS", Value: func(r row) string { return strconv.Itoa(r.ActiveOperations) }, Right: true},
	}
}

func memberVerdictColumns() []output.Column[balance.MemberVerdict] {
	type row = balance.MemberVerdict
	return []output.Column[row]{
		{Name: "name", Value: func(r row) string { return r.Name }},
		{Name: "verdict", Value: func(r row) string { return string(r.Verdict) }, Style: func(r row) output.Style { return verdictStyle(r.Verdict) }},
		{Name: "probability", Value: func(r row) string { return probabilityText(r.Probability) }, Right: true},
		{Name: "firstTry", Value: func(r row) string { return probabilityText(r.FirstTry) }, Right: true},
	}
}

func verdictStyle(v balance.Verdict) output.Style {
	switch v {
	case balance.Chosen, balance.Accepted:
		return output.Good
	case balance.Eligible, balance.NotTried:
		return output.Plain
	case balance.NotInHalf, balance.NotDeepest, balance.Disabled:
		return output.Dim
	case balance.Unhealthy, balance.Offline:
		return output.Bad
	}
	return output.Warn
}

// probabilityText writes a probability with as many digits as tell it apart.
func probabilityText(p float64) string { return strconv.FormatFloat(p, 'g', 4, 64) }

// percentText writes a measured load; "" when nothing was measured.
func percentText(p *float64) string {
	if p == nil {
		return ""
	}
	return strconv.FormatFloat(*p, 'f', 1, 64) + "%"
}
