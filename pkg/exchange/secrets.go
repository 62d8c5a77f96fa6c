package exchange

import "strings"

// secretNames are the properties that hold a secret or the way to one, in lower
// case, and what it is called in the report. gatepool never stores them.
var secretNames = map[string]string{
	"registrationinfotoken":       "registration token",
	"registrationtoken":           "registration token",
	"ssoclientsecretkeyvaultpath": "key vault path of the SSO client secret",
	"ssoclientsecret":             "SSO client secret",
	"gatewaywitnessstring":        "witness string of the recovery key",
	"gatewaywitnessstringlegacy":  "witness string of the recovery key",
	"gatewaysalt":                 "salt of the recovery key",
	"gatewaysaltlegacy":           "salt of the recovery key",
	"recoverykey":                 "recovery key",
	"credentialdetails":           "credentials",
	"credentials":                 "credentials",
	"password":                    "password",
	"clientsecret":                "client secret",
	"accesskey":                   "access key",
	"sharedkey":                   "shared key",
}

// dropSecrets reports the secrets in an item. Dropping them takes nothing more:
// only properties that are asked for are read, and these are not.
func (r *reader) dropSecrets(n *node) {
	for i, name := range n.names {
		value := n.items[i]
		name = strings.ToLower(name)
		kind := secretNames[name]
		switch {
		case name == "registrationinfo" && isSecret(value.member("token")):
			r.secrets.add("registration token", value.member("token"))
		case name == "key" && isDataSource(n) && isSecret(value):
			r.secrets.add("key of a data source", value)
		case kind != "" && isSecret(value):
			r.secrets.add(kind, value)
		case name == "tags" || name == "tag": // the names of tags are the customer's own
		case name == "annotation" || name == "gatewayannotation":
			if inner := parseInner(value); inner != nil {
				r.dropSecrets(inner)
			}
		default:
			r.dropSecrets(value)
		}
	}
	if n.kind == list {
		for _, item := range n.items {
			r.dropSecrets(item)
		}
	}
}

// isSecret reports whether there is anything to keep secret.
func isSecret(n *node) bool {
	switch {
	case n == nil || n.kind == null || n.kind == boolean:
		return false
	case n.kind == text:
		return n.text != ""
	}
	return n.kind == number || len(n.items) > 0
}
