package gatewayconfig

import (
	"context"
	"fmt"
	"slices"

	"gatepool/pkg/atomicfile"
)

// Edit is one change to a file.
type Edit struct {
	Name  string // in any case, if it is a known one
	Value string
	Unset bool // take the setting out of the file; Value is ignored
	Force bool // accept a name that is not known, and any text for it
}

// Set returns the file with the setting's value replaced, or with the setting
// added in the file's own layout. An empty value stands for the built-in
// default. Where value is what the file holds already, f itself is returned.
//
// Setting the old value again gives the old bytes, unless the old value was
// written with references that needn't be, in pieces with comments between
// them, or, where they are a part of the value, with blanks around it.
//
// Set refuses a value outside of what Known allows (*ValueError), a name that
// isn't known (*UnknownSettingError), and a file in which it isn't certain
// what would change (*FormatError): the setting stands there twice, or its
// value isn't text.
func (f *File) Set(name, value string) (*File, error) {
	return f.Apply(Edit{Name: name, Value: value})
}

// Unset returns the file without the setting, so that the built-in default
// applies, and f itself where it holds no such setting. After a Set that added
// the setting it gives the bytes back that were there before. The name may be
// an unknown one. The error is a *FormatError where the setting stands twice.
func (f *File) Unset(name string) (*File, error) {
	return f.Apply(Edit{Name: name, Unset: true})
}

// Apply makes several edits in turn; its errors are those of Set and Unset.
func (f *File) Apply(edits ...Edit) (*File, error) {
	for _, e := range edits {
		var err error
		if e.Unset {
			f, err = f.unset(e.Name)
		} else {
			f, err = f.set(e)
		}
		if err != nil {
			return nil, err
		}
	}
	return f, nil
}

// Update makes the edits to the file at path under its lock. The file is not
// written when nothing changes, or when an edit is refused: then the error is
// one of Apply or Parse, and otherwise one of atomicfile.Update. o.MaxSize is
// set to MaxSize.
func Update(ctx context.Context, path string, o atomicfile.Options, edits ...Edit) (atomicfile.Result, error) {
	o.MaxSize = MaxSize
	return atomicfile.Update(ctx, path, o, func(old []byte) ([][]byte, error) {
		f, err := Parse(old, path)
		if err != nil {
			return nil, err
		}
		edited, err := f.Apply(edits...)
		if err != nil {
			return nil, err
		}
		return [][]byte{edited.data}, nil
	})
}

func (f *File) set(edit Edit) (*File, error) {
	name, value := edit.Name, edit.Value
	setting, ok := Lookup(name)
	var err error
	switch {
	case ok:
		name = setting.Name
		value, err = setting.normalize(value)
	case !edit.Force || name == "":
		err = &UnknownSettingError{Name: name, Nearest: nearest(name)}
	default:
		if err = checkText("the name of the setting", name); err == nil {
			err = checkText(name, value)
		}
	}
	if err != nil {
		return nil, err
	}
	i, err := f.find(name)
	if err != nil {
		return nil, err
	}
	if i < 0 {
		return f.edited(append(f.pairs(), pair{name, value}), f.insert(name, value))
	}
	e := &f.entries[i]
	if e.value == nil || len(e.value.ChildElements()) > 0 {
		return nil, f.refuse(RuleValueMissing, e.Line, e.Column, "take the setting out and set it again", "the setting %s doesn't hold one <value> of text", name)
	}
	if e.Value == value {
		return f, nil
	}
	want := f.pairs()
	want[i].value = value
	return f.edited(want, f.replaceValue(e, value)...)
}

func (f *File) unset(name string) (*File, error) {
	if setting, ok := Lookup(name); ok && f.last(name) == nil {
		name = setting.Name
	}
	i, err := f.find(name)
	if err != nil || i < 0 {
		return f, err
	}
	want := f.pairs()
	return f.edited(append(want[:i], want[i+1:]...), f.remove(f.entries[i].element))
}

// find returns the index of the setting of that name, or -1.
func (f *File) find(name string) (int, error) {
	found := -1
	for i, e := range f.entries {
		if e.Name != name {
			continue
		}
		if found >= 0 {
			return 0, f.refuse(RuleDuplicate, e.Line, e.Column, "remove one of them first; test-gatewayconfig --fix keeps the last, which counts",
				"%s is here and in line %d", name, f.entries[found].Line)
		}
		found = i
	}
	return found, nil
}

type pair struct{ name, value string }

func (f *File) pairs() []pair {
	var all []pair
	for _, e := range f.entries {
		all = append(all, pair{e.Name, e.Value})
	}
	return all
}

// edited makes the splices and makes sure that the file then holds want.
func (f *File) edited(want []pair, splices ...splice) (*File, error) {
	edited, err := Parse(apply(f.data, splices), f.name)
	if err != nil {
		return nil, fmt.Errorf("the edited file would be broken, so nothing was changed: %w", err)
	}
	if !slices.Equal(edited.pairs(), want) {
		return nil, fmt.Errorf("%s: the edited file would not hold the intended settings, so nothing was changed", f.name)
	}
	return edited, nil
}
