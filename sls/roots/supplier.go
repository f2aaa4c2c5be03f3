package roots

// A Supplier brings files of a tree that lies elsewhere below the roots, before they are looked for.
type Supplier interface {
	// File brings what the environment has at the path: a file with its text, a directory without what is in it, or
	// nothing.
	File(env, path string) error
	// Names brings all names of the environment: files without their text, which File brings.
	Names(env string) error
}

// supplyFile asks the supplier, where there is one. r.mu is held.
func (r *Roots) supplyFile(env, path string) error {
	if r.From == nil {
		return nil
	}
	return r.From.File(env, path)
}

// supplyNames is supplyFile for all names. What cannot be asked for is missing then, and told where it is read.
func (r *Roots) supplyNames(env string) {
	if r.From != nil {
		_ = r.From.Names(env)
	}
}

// A Bulk is a supplier that brings several files at once, and what is in directories: one journey in place of one each.
// What it does not bring is asked for when it is needed.
type Bulk interface {
	Files(env string, paths []string) error
}

// Expect says which files will be looked for, so that a supplier brings them at once.
func (r *Roots) Expect(env string, paths []string) {
	if b, ok := r.From.(Bulk); ok && len(paths) > 0 {
		_ = b.Files(env, paths) // whoever needs one of them asks, and is told what is wrong
	}
}
