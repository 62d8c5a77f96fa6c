// Package simulate answers what a setting would have done: it sends many
// arrivals through a host pool, or many requests through a gateway cluster,
// under the rules of package balance, and reports refusals, hosts needed and
// how even the load was.
//
// Package balance looks at every host for each decision, because it explains
// itself. Here only the decision counts, so [Engine] keeps the hosts ordered
// while sessions come and go: a connection costs the same whatever the size of
// the pool. The tests hold the two equal at every step of random histories.
//
// The package reads no files and no clock. All chance comes from a seed: one
// stream for the load and one for the choices, so that variations of a setting
// meet the very same arrivals.
package simulate
