package main

import "gatepool/state"

// schema writes the JSON Schema of the state file, for editors and for checks
// elsewhere.
func schema(out files) error {
	out["docs/schema/gatepool.v1.json"] = state.Schema()
	return nil
}
