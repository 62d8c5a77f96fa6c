package output

import (
	"bytes"
	"encoding/json"
	"io"
	"strconv"
	"strings"

	"gopkg.in/yaml.v3"
)

// writeYAML prints a sequence of mappings, or the one mapping alone. It shows
// what JSON shows, property by property in the same order: the rows are encoded
// as JSON and read back token by token.
func writeYAML[T any](out io.Writer, o Options, rows []T, columns []Column[T], one bool) error {
	var compact bytes.Buffer
	if err := encode(&compact, o, rows, columns, one); err != nil {
		return err
	}
	dec := json.NewDecoder(&compact)
	dec.UseNumber()
	node, err := yamlNode(dec)
	if err != nil {
		return err
	}
	var text bytes.Buffer
	enc := yaml.NewEncoder(&text)
	enc.SetIndent(2)
	if err := enc.Encode(node); err != nil {
		return err
	}
	_, err = out.Write(escape(text.Bytes()))
	return err
}

// yamlNode reads the next JSON value of dec.
func yamlNode(dec *json.Decoder) (*yaml.Node, error) {
	token, err := dec.Token()
	if err != nil {
		return nil, err
	}
	switch v := token.(type) {
	case json.Delim:
		node := &yaml.Node{Kind: yaml.SequenceNode}
		if v == '{' {
			node.Kind = yaml.MappingNode
		}
		for dec.More() {
			child, err := yamlNode(dec) // in an object: key, value, key, value …, as yaml.Node has them
			if err != nil {
				return nil, err
			}
			node.Content = append(node.Content, child)
		}
		_, err := dec.Token() // the closing bracket
		return node, err
	case string:
		return yamlString(v), nil
	case json.Number:
		return &yaml.Node{Kind: yaml.ScalarNode, Value: v.String()}, nil
	case bool:
		return &yaml.Node{Kind: yaml.ScalarNode, Value: strconv.FormatBool(v)}, nil
	}
	return &yaml.Node{Kind: yaml.ScalarNode, Value: "null"}, nil
}

// yamlString returns s as a scalar, quoted where a reader could take the plain
// text for something else. yaml.v3 does that for its own rules.
func yamlString(s string) *yaml.Node {
	node := &yaml.Node{Kind: yaml.ScalarNode, Tag: "!!str", Value: s}
	if strings.ContainsFunc(s, steers) || yaml11(s) {
		node.Style = yaml.DoubleQuotedStyle
	}
	return node
}

// yaml11 reports whether readers of YAML 1.1, such as Python's, may take s for
// a boolean or a number of base 60, which yaml.v3 writes plain from nodes.
func yaml11(s string) bool {
	switch strings.ToLower(s) {
	case "y", "n", "yes", "no", "on", "off":
		return true
	}
	return s != "" && strings.Trim(s, "0123456789_:.+-") == "" && strings.Contains(s, ":")
}
