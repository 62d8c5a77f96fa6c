package cmd

import (
	"errors"
	"fmt"
	"io/fs"
	"strings"

	"github.com/spf13/cobra"

	"gatepool/pkg/atomicfile"
	"gatepool/pkg/gateway"
	"gatepool/pkg/gatewayconfig"
	"gatepool/state"
)

// configTargets say whose configuration files a command is about: exactly one
// of the three is given.
type configTargets struct {
	path    *string
	member  *string
	cluster *string
}

func (t *configTargets) add(c *cobra.Command) {
	addText(c, &t.path, "path", "the file itself")
	addText(c, &t.member, "member", "the configFile of this member, as CLUSTER/MEMBER")
	addText(c, &t.cluster, "cluster", "the configFile of every member of this cluster")
}

// configFile is one gateway's configuration file.
type configFile struct {
	Cluster string `json:"cluster"` // "" with --path
	Member  string `json:"member"`  // likewise
	File    string `json:"file"`    // "" for a member that names none
}

// files finds the files that are meant; a member's may be "".
func (t *configTargets) files(a *app) ([]configFile, error) {
	given := 0
	for _, f := range []*string{t.path, t.member, t.cluster} {
		if f != nil {
			given++
		}
	}
	switch {
	case given != 1:
		return nil, usagef("give one of --path FILE, --member CLUSTER/MEMBER and --cluster CLUSTER")
	case t.path != nil:
		return []configFile{{File: *t.path}}, nil
	}
	s, err := state.Open(a.statePath())
	if err != nil {
		return nil, err
	}
	if t.cluster != nil {
		c, err := s.Cluster(*t.cluster)
		if err != nil {
			return nil, err
		}
		files := make([]configFile, len(c.Members))
		for i := range c.Members {
			files[i] = memberConfig(s, c, &c.Members[i])
		}
		return files, nil
	}
	slash := strings.LastIndexByte(*t.member, '/')
	if slash < 0 {
		return nil, invalidValue(*t.member, "--member is %q; expected CLUSTER/MEMBER", *t.member)
	}
	c, err := s.Cluster((*t.member)[:slash])
	if err != nil {
		return nil, err
	}
	found, err := members(c).find((*t.member)[slash+1:])
	files := make([]configFile, len(found))
	for i, at := range found {
		files[i] = memberConfig(s, c, &c.Members[at])
	}
	return files, err
}

// memberConfig is the configuration file of a member.
func memberConfig(s *state.Snapshot, c *gateway.Cluster, m *gateway.Member) configFile {
	f := configFile{Cluster: c.Name, Member: m.Name}
	if m.ConfigFile != "" {
		f.File = s.Resolve(m.ConfigFile)
	}
	return f
}

// open reads and parses the file.
func (f configFile) open() (*gatewayconfig.File, error) {
	data, err := f.read()
	if err != nil {
		return nil, err
	}
	config, err := gatewayconfig.Parse(data, f.File)
	return config, f.wrap(err)
}

// read reads the file.
func (f configFile) read() ([]byte, error) {
	if f.File == "" {
		return nil, notFoundf(f.Member, "%sits limits are in the state, it names no configFile", f.prefix()).
			withHint("gatepool set-member %s %s --config-file FILE names one; gatepool set-member %[1]s %[2]s --cpu N changes the limit in the state", f.Cluster, f.Member)
	}
	data, err := atomicfile.Read(f.File, gatewayconfig.MaxSize)
	return data, f.wrap(err)
}

// wrap gives an error about the file its place in the contract, and says whose
// file it is.
func (f configFile) wrap(err error) error {
	var tooLarge *atomicfile.TooLargeError
	switch {
	case err == nil:
		return nil
	case errors.Is(err, fs.ErrNotExist):
		missing := notFoundf(f.File, "%sthere is no file %s", f.prefix(), f.File)
		if f.Member != "" {
			missing.withHint("gatepool set-member %s %s --config-file FILE names another", f.Cluster, f.Member)
		}
		return missing
	case errors.As(err, &tooLarge):
		return &failure{code: "invalid_config", exit: exitInvalid, target: f.File, err: fmt.Errorf("%s%w", f.prefix(), err)}
	}
	return fmt.Errorf("%s%w", f.prefix(), err)
}

// prefix begins a message about a member's file.
func (f configFile) prefix() string {
	if f.Member == "" {
		return ""
	}
	return fmt.Sprintf("member %s of cluster %s: ", f.Member, f.Cluster)
}

// machine is where the file is, for a person who is to go there.
func (f configFile) machine() string {
	if f.Member == "" {
		return "the gateway's machine"
	}
	return f.Member
}
