package state

import (
	"encoding/json"
	"strconv"
)

// A schema is the part of JSON Schema that describes the state file. Its
// properties are written in the order of the fields here.
type schema struct {
	Schema               string      `json:"$schema,omitempty"`
	Title                string      `json:"title,omitempty"`
	Description          string      `json:"description,omitempty"`
	Type                 string      `json:"type,omitempty"`
	Const                string      `json:"const,omitempty"`
	Enum                 []string    `json:"enum,omitempty"`
	Format               string      `json:"format,omitempty"`
	MinLength            int         `json:"minLength,omitempty"`
	Minimum              *float64    `json:"minimum,omitempty"`
	Maximum              *float64    `json:"maximum,omitempty"`
	Default              any         `json:"default,omitempty"`
	Items                *schema     `json:"items,omitempty"`
	Required             []string    `json:"required,omitempty"`
	Properties           *properties `json:"properties,omitempty"`
	AdditionalProperties any         `json:"additionalProperties,omitempty"`
	If                   *schema     `json:"if,omitempty"`
	Then                 *schema     `json:"then,omitempty"`
	Else                 *schema     `json:"else,omitempty"`
}

// properties keep their order in JSON, which a map would not.
type properties []property

type property struct {
	name   string
	schema *schema
}

func (p properties) MarshalJSON() ([]byte, error) {
	text := []byte{'{'}
	for i, property := range p {
		value, err := json.Marshal(property.schema)
		if err != nil {
			return nil, err
		}
		if i > 0 {
			text = append(text, ',')
		}
		text = strconv.AppendQuote(text, property.name)
		text = append(append(text, ':'), value...)
	}
	return append(text, '}'), nil
}

// Schema is the JSON Schema (draft 2020-12) of one document of the state file,
// indented. Editors complete and check a file with it; gatepool itself is
// stricter (names that stand twice, quotes around numbers, aliases).
func Schema() []byte {
	kinds := schema{Type: "string", Enum: []string{string(HostPool), string(Cluster)}, Description: "What the document describes."}
	// The kind decides about the rest. Without if and then an editor would show
	// the faults of both kinds at once.
	s := schema{
		Schema:     "https://json-schema.org/draft/2020-12/schema",
		Title:      "gatepool state file",
		Type:       "object",
		Required:   []string{"kind", "apiVersion", "name"},
		Properties: &properties{{"kind", &kinds}},
		If:         &schema{Properties: &properties{{"kind", &schema{Const: string(Cluster)}}}},
		Then:       documentSchema(Cluster, clusterShape()),
		Else:       documentSchema(HostPool, poolShape()),
	}
	text, err := json.MarshalIndent(s, "", "  ")
	if err != nil {
		panic(err) // only texts, numbers and lists of them: can't happen
	}
	return append(text, '\n')
}

func documentSchema(kind Kind, shape *shape) *schema {
	s := shape.schema()
	version := schema{Const: APIVersion, Description: "Version of the file's shape."}
	*s.Properties = append(properties{{"kind", &schema{Const: string(kind)}}, {"apiVersion", &version}}, *s.Properties...)
	s.Required = append([]string{"kind", "apiVersion"}, s.Required...)
	return s
}

func (s *shape) schema() *schema {
	object := schema{Type: "object", Properties: new(properties), AdditionalProperties: false}
	for i := range s.fields {
		f := &s.fields[i]
		*object.Properties = append(*object.Properties, property{f.name, f.schema()})
		if f.required {
			object.Required = append(object.Required, f.name)
		}
	}
	return &object
}

func (f *field) schema() *schema {
	var s schema
	switch f.sort {
	case textField:
		s.Type = "string"
		if f.required {
			s.MinLength = 1
		}
	case enumField:
		s.Type, s.Enum = "string", f.values
	case boolField:
		s.Type, s.Default = "boolean", f.def == "true"
	case intField:
		s.Type, s.Default = "integer", json.Number(f.def)
	case floatField:
		s.Type = "number"
	case timeField:
		s.Type, s.Format = "string", "date-time"
	case mapField:
		s.Type, s.AdditionalProperties = "object", &schema{Type: "string"}
	case structField:
		s = *f.elem.schema()
	case structsField:
		s.Type, s.Items = "array", f.elem.schema()
	case textsField:
		s.Type, s.Items = "array", &schema{Type: "string"}
	}
	s.Description = f.tag.Get("doc")
	if f.def != "" && s.Default == nil {
		s.Default = f.def
	}
	if f.bounded {
		s.Minimum, s.Maximum = &f.min, &f.max
	}
	return &s
}
