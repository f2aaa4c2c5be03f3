package session

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/gostate/gostate/sls/puppet/catalog"
)

// PuppetFiles are the files that resources of a catalog take their content from, those of modules in these folders.
func PuppetFiles(modules []string) catalog.Options {
	m := moduleFiles(modules)
	return catalog.Options{Source: m.source, Address: m.address, List: listTree, Read: os.ReadFile}
}

// moduleFiles are the folders of Puppet modules, absolute paths.
type moduleFiles []string

// source is where puppet:///modules/NAME/FILE, file:///x or a path lies on this machine.
func (m moduleFiles) source(uri string) (file string, dir, ok bool) {
	var places []string
	if rest, inModule := strings.CutPrefix(uri, "puppet:///modules/"); inModule {
		name, rest, _ := strings.Cut(rest, "/")
		for _, dir := range m {
			places = append(places, filepath.Join(dir, name, "files", filepath.Clean("/"+rest)))
		}
	} else if rest := strings.TrimPrefix(uri, "file://"); filepath.IsAbs(rest) {
		places = []string{rest}
	}
	for _, p := range places {
		if i, err := os.Stat(p); err == nil {
			return p, i.IsDir(), true
		}
	}
	return "", false, false
}

// address is how states read a file of this machine: one of a module through the file server, which --root leaves
// alone.
func (m moduleFiles) address(file string) string {
	for _, dir := range m {
		if rest, in := strings.CutPrefix(file, dir+"/"); in {
			return "salt://" + rest + "?saltenv=" + PuppetEnv
		}
	}
	return file
}

// listTree is what lies below a directory, each directory before what is in it.
func listTree(dir string) (out []catalog.Entry, err error) {
	err = filepath.WalkDir(dir, func(p string, d fs.DirEntry, err error) error {
		if err != nil || p == dir {
			return err
		}
		name, err := filepath.Rel(dir, p)
		e := catalog.Entry{Name: name, Dir: d.IsDir()}
		if d.Type()&fs.ModeSymlink != 0 {
			if e.Target, err = os.Readlink(p); err != nil {
				return err
			}
		}
		out = append(out, e)
		return err
	})
	return out, err
}

// ListNames are the names in a folder, none where it is not there.
func ListNames(dir string) ([]string, error) {
	entries, err := os.ReadDir(dir)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	names := make([]string, len(entries))
	for i, e := range entries {
		names[i] = e.Name()
	}
	return names, err
}
