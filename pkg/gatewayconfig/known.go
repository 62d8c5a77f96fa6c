package gatewayconfig

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"gatepool/pkg/spelling"
)

// Kind is what a setting's value is.
type Kind string

// The kinds. The gateway converts a number or a Boolean from the file's text
// and ignores blanks around it; of the other three they are a part.
const (
	Percent Kind = "percent" // whole
	Minutes Kind = "minutes" // whole
	Count   Kind = "count"   // whole
	Bool    Kind = "bool"    // True or False, in any case
	Path    Kind = "path"
	Text    Kind = "text"
	Enum    Kind = "enum" // one of Values, whose case matters
)

// Names of the settings that rules refer to.
const (
	CPUThreshold       = "CPUUtilizationPercentageThreshold"
	MemoryThreshold    = "MemoryUtilizationPercentageThreshold"
	AggregationMinutes = "ResourceUtilizationAggregationTimeInMinutes"
	ConcurrencyLimit   = "ConcurrentOperationLimitPreview"
	ConcurrencyBypass  = "BypassConcurrentOperationLimit"
	AutoConfigDisable  = "MashupDisableContainerAutoConfig"
)

// Setting is what is known about a setting of that name.
type Setting struct {
	Name       string   `json:"name"`
	Kind       Kind     `json:"kind"`
	Default    string   `json:"default,omitempty"` // what applies while the setting is absent; "" where nothing is documented
	Min        int      `json:"min"`               // of Percent, Minutes and Count
	Max        int      `json:"max,omitempty"`     // likewise
	Values     []string `json:"values,omitempty"`  // of Enum
	Meaning    string   `json:"meaning"`
	Documented string   `json:"documented,omitempty"` // when or how far, where that isn't "always"
	ReadOnly   bool     `json:"readOnly,omitempty"`   // a value here has no effect
	PoolSize   bool     `json:"poolSize,omitempty"`   // ignored unless MashupDisableContainerAutoConfig is True

	// misspelt are spellings that published pages have put into real files.
	misspelt []string
}

// Settings, ranges and defaults are Microsoft's documentation. Upper bounds
// are ours: those of the state file for the limits, and otherwise what fits
// the gateway's 32-bit numbers.
var known = []Setting{
	{Name: CPUThreshold, Kind: Percent, Default: "0", Max: 100, Meaning: "CPU use at which the member refuses requests; 0 is off"},
	{Name: MemoryThreshold, Kind: Percent, Default: "0", Max: 100, Meaning: "memory use at which the member refuses requests; 0 is off"},
	{Name: AggregationMinutes, Kind: Minutes, Default: "5", Min: 1, Max: 1440, Meaning: "time over which CPU and memory use are averaged",
		misspelt: []string{"ResourceUtilizationAggregateionPeriodInMinutes"}},
	{Name: ConcurrencyLimit, Kind: Count, Default: "40", Min: 1, Max: 1000000, Meaning: "operations that run at a time", Documented: "2022 to 2024"},
	{Name: ConcurrencyBypass, Kind: Bool, Default: "False", Meaning: "lifts the limit on operations at a time", Documented: "2022 to 2024"},

	{Name: AutoConfigDisable, Kind: Bool, Meaning: "makes the pool sizes below count; unless it is True they are ignored"},
	{Name: "MashupDefaultPoolContainerMaxCount", Kind: Count, Default: "automatic", Max: math.MaxInt32, PoolSize: true, Meaning: "containers for refresh and other imports"},
	{Name: "MashupDefaultPoolContainerMaxWorkingSetInMB", Kind: Count, Default: "automatic", Max: math.MaxInt32, PoolSize: true, Meaning: "memory of each of those containers, in MB"},
	{Name: "MashupDQPoolContainerMaxCount", Kind: Count, Default: "automatic", Max: math.MaxInt32, PoolSize: true, Meaning: "containers for DirectQuery"},
	{Name: "MashupDQPoolContainerMaxWorkingSetInMB", Kind: Count, Max: math.MaxInt32, ReadOnly: true, Meaning: "memory of each DirectQuery container, in MB; cannot be changed here"},
	{Name: "MashupTestConnectionPoolContainerMaxInstanceCount", Kind: Count, Default: "automatic", Max: math.MaxInt32, PoolSize: true, Meaning: "containers for testing connections"},
	{Name: "MashupAzureConnectorsCachingPoolContainerMaxCount", Kind: Count, Default: "automatic", Max: math.MaxInt32, PoolSize: true, Meaning: "containers for caching by Azure connectors"},
	{Name: "PowerQueryOnlineCachingPoolContainerMaxCount", Kind: Count, Default: "automatic", Max: math.MaxInt32, PoolSize: true, Meaning: "containers for caching by Power Query Online"},

	{Name: "ReportFilePath", Kind: Path, Default: `%LOCALAPPDATA%\Microsoft\On-premises data gateway\Report`, Meaning: "folder of the performance logs"},
	{Name: "ReportFileCount", Kind: Count, Default: "10", Max: math.MaxInt32, Meaning: "files kept of each performance log"},
	{Name: "ReportFileSizeInBytes", Kind: Count, Default: "104857600", Max: math.MaxInt32, Meaning: "size of a performance log's file, in bytes"},
	{Name: "QueryExecutionAggregationTimeInMinutes", Kind: Minutes, Default: "5", Max: math.MaxInt32, Meaning: "time that one row of the query execution log sums up",
		misspelt: []string{"QuerExecutionAggregationTimeInMinutes"}},
	{Name: "SystemCounterAggregationTimeInMinutes", Kind: Minutes, Default: "5", Max: math.MaxInt32, Meaning: "time that one row of the system counter log sums up"},
	{Name: "QueryExecutionReportOn", Kind: Bool, Meaning: "writes the query execution logs", Documented: "2019 to 2020; they are written by default now"},
	{Name: "SystemCounterReportOn", Kind: Bool, Meaning: "writes the system counter log", Documented: "2019 to 2020; it is written by default now"},

	{Name: "StreamBeforeRequestCompletes", Kind: Bool, Default: "False", Meaning: "sends data before a request is complete"},
	{Name: "SpoolerDirectory", Kind: Path, Default: `%LOCALAPPDATA%\Microsoft\On-premises data gateway\Spooler`, Meaning: "folder where results wait to be sent"},
	{Name: "OnPremRuntimeDefaultWorkerMaxWorkingSetInMB", Kind: Count, Default: "1000", Min: 100, Max: math.MaxInt32, Meaning: "memory of a worker process, in MB"},
	{Name: "ServiceBusSystemConnectivityModeString", Kind: Enum, Default: "AutoDetect", Values: []string{"AutoDetect", "Https"}, Meaning: "how the gateway reaches Azure Relay"},
	{Name: "SqlTrustedServers", Kind: Text, Meaning: "SQL servers whose certificates are trusted, separated by commas; * stands for any characters"},
	{Name: "ADUserNameLookupProperty", Kind: Text, Meaning: "Active Directory attribute in which a user name is looked up"},
	{Name: "ADUserNameReplacementProperty", Kind: Text, Meaning: "Active Directory attribute that replaces the user name"},
	{Name: "ADServerPath", Kind: Text, Meaning: "Active Directory servers to ask, separated by semicolons"},
	{Name: "FullDomainResolutionEnabled", Kind: Bool, Meaning: "resolves users of trusted domains by full domain names"},
	{Name: "SapHanaSAMLCertThumbprint", Kind: Text, Meaning: "thumbprint of the certificate for single sign-on to SAP HANA"},
	{Name: "EnableFastCombine", Kind: Bool, Meaning: "combines data sources without regard to privacy levels"},
	{Name: "MashupUseEmbeddedVerticaODBCDriver", Kind: Bool, Meaning: "uses the Vertica driver that comes with the gateway"},
	{Name: "MashupUseUserInstalledNetezzaODBCDriver", Kind: Bool, Meaning: "uses the machine's own Netezza driver"},
	{Name: "MashupFlight_DisableOracleBundledOdacProviderV2", Kind: Bool, Meaning: "uses the machine's own Oracle provider"},
}

// Known lists the settings whose meaning is known, related ones together. The
// gateway has more: a file may hold others.
func Known() []Setting { return slices.Clone(known) }

// Lookup returns what is known about a setting, whose name may be in any case.
func Lookup(name string) (Setting, bool) {
	for _, s := range known {
		if strings.EqualFold(s.Name, name) {
			return s, true
		}
	}
	return Setting{}, false
}

// lookupExact is Lookup for the gateway's eyes, to which case matters.
func lookupExact(name string) (Setting, bool) {
	s, ok := Lookup(name)
	return s, ok && s.Name == name
}

// meant returns the known name that name is a misspelling of, or "".
func meant(name string) string {
	if published := published(name); published != "" {
		return published
	}
	return spelling.Slip(name, names())
}

// nearest returns the known name most like one that is not known, or "".
func nearest(name string) string {
	if published := published(name); published != "" {
		return published
	}
	return spelling.Nearest(name, names())
}

// published returns the known name that a published page spells so.
func published(name string) string {
	for _, s := range known {
		if slices.Contains(s.misspelt, name) {
			return s.Name
		}
	}
	return ""
}

func names() []string {
	names := make([]string, len(known))
	for i, s := range known {
		names[i] = s.Name
	}
	return names
}

// trims tells whether the gateway ignores blanks around a value of this kind.
func (k Kind) trims() bool { return k == Percent || k == Minutes || k == Count || k == Bool }

// Range describes the valid values.
func (s Setting) Range() string {
	switch s.Kind {
	case Percent, Minutes, Count:
		if s.Max == math.MaxInt32 {
			return fmt.Sprintf("a whole number, %d or more", s.Min)
		}
		return fmt.Sprintf("a whole number from %d to %d", s.Min, s.Max)
	case Bool:
		return "True or False"
	case Enum:
		return strings.Join(s.Values, " or ")
	case Path:
		return "a path"
	}
	return "text"
}

// valid tells whether the gateway understands a value. An empty one always
// stands for the built-in default: .NET takes that when there is nothing to
// convert.
func (s Setting) valid(value string) bool {
	if value == "" {
		return true
	}
	switch s.Kind {
	case Percent, Minutes, Count:
		n, err := strconv.ParseUint(value, 10, 31)
		return err == nil && int(n) >= s.Min && int(n) <= s.Max
	case Bool:
		return strings.EqualFold(value, "True") || strings.EqualFold(value, "False")
	case Enum:
		return slices.Contains(s.Values, value)
	}
	return true
}

// normalize returns value as it is to be written, or a *ValueError. Values are
// written as given; only an Enum's get the case that the gateway insists on.
func (s Setting) normalize(value string) (string, error) {
	if err := checkText(s.Name, value); err != nil {
		return "", err
	}
	if s.ReadOnly {
		return "", &ValueError{Name: s.Name, Value: value, Want: "no value: this setting cannot be changed here"}
	}
	for _, v := range s.Values {
		if strings.EqualFold(v, value) {
			value = v
		}
	}
	if !s.valid(value) {
		return "", &ValueError{Name: s.Name, Value: value, Want: s.Range()}
	}
	return value, nil
}

// checkText refuses what XML can't hold or what would be a fault in the file:
// control characters, and blanks at the ends.
func checkText(name, value string) error {
	illegal := func(r rune) bool { return unicode.IsControl(r) || r == '\ufffe' || r == '\uffff' }
	if !utf8.ValidString(value) || strings.ContainsFunc(value, illegal) {
		return &ValueError{Name: name, Value: value, Want: "text without control characters"}
	}
	if strings.TrimSpace(value) != value {
		return &ValueError{Name: name, Value: value, Want: "a value without blanks around it"}
	}
	return nil
}
