package state

// NameOf returns the name, as it is spelt in the file, of the resource that a
// name in any case or an id means. The error for one that isn't there is a
// *NotFoundError.
func (s *Snapshot) NameOf(kind Kind, name string) (string, error) {
	d := s.file.find(kind, name)
	if d == nil {
		return "", s.notFound(kind, name)
	}
	return d.name, nil
}
