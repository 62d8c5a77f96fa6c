package state

import (
	"reflect"
	"strings"

	"gatepool/pkg/gateway"
	"gatepool/pkg/hostpool"
)

// A resource is what one document holds: a host pool or a cluster.
type resource struct {
	pool    *hostpool.Pool
	cluster *gateway.Cluster
}

func (r resource) shape() *shape {
	if r.pool != nil {
		return poolShape()
	}
	return clusterShape()
}

func (r resource) value() reflect.Value {
	if r.pool != nil {
		return reflect.ValueOf(r.pool).Elem()
	}
	return reflect.ValueOf(r.cluster).Elem()
}

func (r resource) kind() Kind {
	if r.pool != nil {
		return HostPool
	}
	return Cluster
}

func (r resource) name() string {
	if r.pool != nil {
		return r.pool.Name
	}
	return r.cluster.Name
}

func (r resource) id() string {
	if r.pool != nil {
		return r.pool.ID
	}
	return r.cluster.ID
}

// answersTo reports whether a name in any case, or an id, means this resource.
func (r resource) answersTo(name string) bool {
	return strings.EqualFold(r.name(), name) || r.id() != "" && strings.EqualFold(r.id(), name)
}

func (r resource) same(other resource) bool {
	return r.kind() == other.kind() && r.shape().same(r.value(), other.value())
}
