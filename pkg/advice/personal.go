package advice

import (
	"fmt"
	"strings"

	"gatepool/pkg/hostpool"
	"gatepool/pkg/shell"
)

// usersOn returns one session of each user on a host, in file order.
func usersOn(h *hostpool.Host) []seat {
	var users []seat
	seen := make(map[string]bool, len(h.Sessions))
	for i := range h.Sessions {
		user := strings.ToLower(h.Sessions[i].User)
		if !seen[user] {
			seen[user] = true
			users = append(users, seat{h, &h.Sessions[i]})
		}
	}
	return users
}

// directHostWithoutUser leaves hosts with sessions to the rules about these.
func directHostWithoutUser(p *hostpool.Pool, _ Options) []Finding {
	if !direct(p) {
		return nil
	}
	var found []Finding
	for i := range p.SessionHosts {
		h := &p.SessionHosts[i]
		if h.AssignedUser != "" || len(h.Sessions) > 0 {
			continue
		}
		found = append(found, Finding{
			Path:    hostPath(h, "assignedUser"),
			Message: fmt.Sprintf("host %s has no assignedUser, so nobody can connect to it", h.Name),
			Fix:     shell.Command("set-host", p.Name, h.Name, "--assigned-user", "USER"),
			item:    h.Name, many: "hosts have no assignedUser",
		})
	}
	return found
}

// directUserWithoutDesktop looks at hosts without an owner; on a host that
// somebody owns the session is a case for sessionOfAnotherUser, and of several
// users on one host personalHostShared speaks.
func directUserWithoutDesktop(p *hostpool.Pool, _ Options) []Finding {
	if !direct(p) {
		return nil
	}
	var found []Finding
	settled := map[string]bool{} // users who own a host, or are reported
	for i := range p.SessionHosts {
		settled[strings.ToLower(p.SessionHosts[i].AssignedUser)] = true
	}
	for i := range p.SessionHosts {
		h := &p.SessionHosts[i]
		users := usersOn(h)
		if h.AssignedUser != "" || len(users) != 1 {
			continue
		}
		name := users[0].session.User
		user := strings.ToLower(name)
		if settled[user] {
			continue
		}
		settled[user] = true
		found = append(found, Finding{
			Path:    users[0].path(),
			Message: fmt.Sprintf("user %s has a session on host %s but owns no desktop", name, h.Name),
			Fix:     shell.Command("set-host", p.Name, h.Name, "--assigned-user", name),
			item:    name, many: "users have sessions but own no desktop",
		})
	}
	return found
}

func userWithSeveralDesktops(p *hostpool.Pool, _ Options) []Finding {
	if p.Balanced() || p.LoadBalancerType == hostpool.MultiplePersistent {
		return nil
	}
	desktops := map[string][]*hostpool.Host{}
	var users []string // by second desktop
	for i := range p.SessionHosts {
		h := &p.SessionHosts[i]
		if h.AssignedUser == "" {
			continue
		}
		user := strings.ToLower(h.AssignedUser)
		desktops[user] = append(desktops[user], h)
		if len(desktops[user]) == 2 {
			users = append(users, user)
		}
	}
	var found []Finding
	for _, user := range users {
		hosts := desktops[user]
		var on []string
		for _, h := range hosts {
			on = append(on, h.Name)
		}
		found = append(found, Finding{
			Path:    hostPath(hosts[1], "assignedUser"),
			Message: fmt.Sprintf("user %s owns %d hosts (%s), in a pool that gives each user one", hosts[0].AssignedUser, len(hosts), names(on)),
			Fix:     shell.Command("set-host", p.Name, hosts[1].Name, "--assigned-user", "USER"),
			item:    hosts[0].AssignedUser, many: "users own several hosts, in a pool that gives each user one",
		})
	}
	return found
}

// personalHostShared looks at hosts without an owner; where there is one, the
// others' sessions are a case for sessionOfAnotherUser.
func personalHostShared(p *hostpool.Pool, _ Options) []Finding {
	if p.Balanced() {
		return nil
	}
	var found []Finding
	for i := range p.SessionHosts {
		h := &p.SessionHosts[i]
		users := usersOn(h)
		if h.AssignedUser != "" || len(users) < 2 {
			continue
		}
		var who []string
		for _, s := range users {
			who = append(who, s.session.User)
		}
		found = append(found, Finding{
			Path:    hostPath(h, "sessions"),
			Message: fmt.Sprintf("host %s has no owner and sessions of %d users: %s", h.Name, len(users), names(who)),
			Fix:     shell.Command("set-host", p.Name, h.Name, "--assigned-user", who[0]),
			item:    h.Name, many: "hosts have no owner and sessions of several users",
		})
	}
	return found
}

func sessionOfAnotherUser(p *hostpool.Pool, _ Options) []Finding {
	if p.Balanced() {
		return nil
	}
	var found []Finding
	for i := range p.SessionHosts {
		h := &p.SessionHosts[i]
		if h.AssignedUser == "" {
			continue
		}
		for _, s := range usersOn(h) {
			if strings.EqualFold(s.session.User, h.AssignedUser) {
				continue
			}
			found = append(found, Finding{
				Path:    s.path(),
				Message: fmt.Sprintf("user %s has a session on host %s, which is assigned to %s", s.session.User, h.Name, h.AssignedUser),
				Fix:     shell.Command("remove-session", p.Name, s.argument()),
				item:    s.session.User, many: "users have a session on somebody else's desktop",
			})
		}
	}
	return found
}
