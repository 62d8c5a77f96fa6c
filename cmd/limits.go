package cmd

import (
	"gatepool/pkg/gateway"
	"gatepool/state"
)

// memberLimits are the limits in force of one member: from its configuration
// file where it names one, otherwise from the state. A file that is missing is
// not_found, one that is broken, or has a limit that means nothing,
// invalid_config.
func memberLimits(s *state.Snapshot, c *gateway.Cluster, m *gateway.Member) (gateway.Limits, error) {
	if m.ConfigFile == "" {
		return m.EffectiveLimits(), nil
	}
	file := memberConfig(s, c, m)
	f, err := file.open()
	if err != nil {
		return gateway.Limits{}, err
	}
	limits, err := f.Limits()
	return limits, file.wrap(err)
}

// limitsInForce are those of every member. It fails when those of any cannot be
// told, and names each.
func limitsInForce(s *state.Snapshot, c *gateway.Cluster) ([]gateway.Limits, error) {
	limits := make([]gateway.Limits, len(c.Members))
	var errs []error
	for i := range c.Members {
		var err error
		if limits[i], err = memberLimits(s, c, &c.Members[i]); err != nil {
			errs = append(errs, err)
		}
	}
	return limits, whole(errs)
}
