package cmd

import (
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"gatepool/pkg/gateway"
)

// memberSettings are the properties of a member that add-member and set-member
// take. Those not given are nil.
type memberSettings struct {
	memberStatus     *memberSwitch
	status           *gateway.MemberStatus
	version          *string
	machine          *string
	id               *string
	configFile       *string
	expiryDate       *time.Time
	cpu              *int
	memory           *int
	minutes          *int
	concurrency      *int
	activeOperations *int
}

// memberSwitch is the older module's word for enabled and disabled.
type memberSwitch string

const memberEnabled memberSwitch = "Enabled"

// Values lists the valid values.
func (memberSwitch) Values() []string { return []string{"None", string(memberEnabled)} }

func (s *memberSettings) add(c *cobra.Command) {
	addEnum(c, &s.memberStatus, "member-status", "whether the member takes requests: enabled, or none for a disabled one")
	addEnum(c, &s.status, "status", "whether the service reaches the member")
	addText(c, &s.version, "version", "gateway version, such as 3000.322.5")
	addText(c, &s.machine, "machine", "computer name")
	addText(c, &s.id, "id", "gateway object id (GUID), as logs name it")
	addText(c, &s.configFile, "config-file", "the member's GatewayCore .dll.config, relative to the state file; its limits win")
	addNumber(c, &s.cpu, "cpu", 0, 100, "CPU threshold in percent; 0 is off")
	addNumber(c, &s.memory, "memory", 0, 100, "memory threshold in percent; 0 is off")
	addNumber(c, &s.minutes, "aggregation-minutes", 1, 1440, "minutes over which load is averaged")
	addNumber(c, &s.concurrency, "concurrency", 0, 1_000_000, "most operations at a time; 0 is no limit")
	addNumber(c, &s.activeOperations, "active-operations", 0, 1_000_000, "operations running now")
	addTime(c, &s.expiryDate, "expiry-date", "when the version is out of support, a time or a date")
}

// apply changes a member that is, or is to be, one of the cluster's. A setting
// that is refused changes nothing.
func (s *memberSettings) apply(c *gateway.Cluster, m *gateway.Member) error {
	if s.version != nil && *s.version != "" && !isVersion(*s.version) {
		return invalidValue(*s.version, "--version is %q; expected three or four numbers, such as 3000.322.5", *s.version)
	}
	configFile := m.ConfigFile
	set(&configFile, s.configFile)
	limits := m.EffectiveLimits()
	if flags := s.limitFlags(); flags != "" && configFile != "" {
		return conflictf(m.Name, "%s takes its limits from %s", m.Name, configFile).withHint("gatepool set-gatewayconfig --member %s/%s%s", c.Name, m.Name, flags)
	}
	set(&limits.CPU, s.cpu)
	set(&limits.Memory, s.memory)
	set(&limits.AggregationMinutes, s.minutes)
	set(&limits.Concurrency, s.concurrency)
	if limits != m.EffectiveLimits() {
		m.Limits = &limits
	}
	if s.memberStatus != nil {
		m.Enabled = *s.memberStatus == memberEnabled
	}
	m.ConfigFile = configFile
	set(&m.Status, s.status)
	set(&m.Version, s.version)
	set(&m.Machine, s.machine)
	set(&m.ID, s.id)
	set(&m.ExpiryDate, s.expiryDate)
	set(&m.ActiveOperations, s.activeOperations)
	return nil
}

// limitFlags is the part of the line that sets limits, which
// set-gatewayconfig takes as well.
func (s *memberSettings) limitFlags() string {
	var flags strings.Builder
	for _, limit := range []struct {
		flag  string
		value *int
	}{{"cpu", s.cpu}, {"memory", s.memory}, {"aggregation-minutes", s.minutes}, {"concurrency", s.concurrency}} {
		if limit.value != nil {
			fmt.Fprintf(&flags, " --%s %d", limit.flag, *limit.value)
		}
	}
	return flags.String()
}

// isVersion reports whether a text is a gateway version: three or four numbers,
// and perhaps a build behind a plus sign.
func isVersion(s string) bool {
	s, _, _ = strings.Cut(s, "+")
	parts := strings.Split(s, ".")
	for _, part := range parts {
		if _, err := strconv.ParseUint(part, 10, 32); err != nil {
			return false
		}
	}
	return len(parts) == 3 || len(parts) == 4
}
