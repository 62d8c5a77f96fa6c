package hostpool

import "testing"

func TestSessionCount(t *testing.T) {
	// A disconnected or pending session takes a seat like any other.
	h := Host{AnonymousSessions: 4, Sessions: []Session{{State: SessionActive}, {State: SessionDisconnected}, {State: SessionPending}}}
	if n := h.SessionCount(); n != 7 {
		t.Errorf("%d seats are taken, want 7", n)
	}
}

func TestSessionLimit(t *testing.T) {
	for limit, want := range map[int]int{0: NoLimit, 1: 1, 12: 12, NoLimit: NoLimit} {
		if got := (&Pool{MaxSessionLimit: limit}).SessionLimit(); got != want {
			t.Errorf("limit %d counts as %d, want %d", limit, got, want)
		}
	}
}

// The status table of the service, and what was decided where it is silent.
func TestPlaceable(t *testing.T) {
	placeable := map[Status]bool{Available: true, NeedsAssistance: true, Upgrading: true, UpgradeFailed: true}
	for _, value := range Status("").Values() {
		if got := Status(value).Placeable(); got != placeable[Status(value)] {
			t.Errorf("%s takes new sessions: %t", value, got)
		}
	}
}

func TestHostIsFoundInAnyCase(t *testing.T) {
	p := &Pool{SessionHosts: []Host{{Name: "avd-0"}, {Name: "AVD-1"}}}
	if h := p.Host("avd-1"); h != &p.SessionHosts[1] {
		t.Errorf("found %v", h)
	}
	if h := p.Host("avd-2"); h != nil {
		t.Errorf("found %v", h)
	}
}

func TestIdentity(t *testing.T) {
	if key, unique := (Host{Name: "AVD-0"}).Identity(); key != "avd-0" || !unique {
		t.Error(key, unique)
	}
	byID, unique := Session{ID: "3", User: "a@x"}.Identity()
	if other, _ := (Session{ID: "3", User: "b@x"}).Identity(); byID != other || !unique {
		t.Error("a session is its id")
	}
	byUser, unique := Session{User: "A@x"}.Identity()
	if other, _ := (Session{User: "a@X"}).Identity(); byUser != other || unique {
		t.Error("without an id a session is its user, who may have several")
	}
}
