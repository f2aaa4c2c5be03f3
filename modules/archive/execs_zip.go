package archive

import (
	"archive/zip"
	"context"
	"errors"
	"io"
	"path"
	"strings"

	"github.com/gostate/gostate/modules"
	"github.com/gostate/gostate/state/host"
	"github.com/gostate/gostate/state/value"
)

// An inZip is a file or folder of the machine and its name in the archive; that of a folder ends in a slash.
type inZip struct {
	file, name string
	info       host.Info
}

func makeZip(ctx context.Context, c *modules.Call) (value.Value, error) {
	if c.Str("runas") != "" {
		return cmdZip(ctx, c)
	}
	dest, err := rendered(ctx, c, "zip_file")
	if err != nil {
		return nil, err
	}
	cwd := c.Str("cwd")
	if cwd != "" && !path.IsAbs(cwd) {
		return nil, refused("cwd must be absolute")
	}
	var all []inZip
	for _, src := range expand(c) {
		if !path.IsAbs(src) && cwd == "" {
			return nil, refused("Relative paths require the 'cwd' parameter")
		}
		if all, err = collect(c.Host, all, src, cwd); err != nil {
			return nil, failed("Exception encountered creating zipfile: %v", err)
		}
	}
	if err := writeZip(c.Host, dest, all); err != nil {
		return nil, failed("Exception encountered creating zipfile: %v", err)
	}
	names := make([]string, len(all))
	for i, e := range all {
		names[i] = e.name
	}
	return modules.TextList(names), nil
}

// collect adds a path and what is below it, named relative to cwd where they are below that, else to the root; what is
// not there is passed over.
func collect(h host.Reader, all []inZip, src, cwd string) ([]inZip, error) {
	if !path.IsAbs(src) {
		src = path.Join(cwd, src)
	}
	name := func(file string) string {
		if base := strings.TrimRight(cwd, "/") + "/"; cwd != "" && strings.HasPrefix(file, base) {
			return strings.TrimPrefix(file, base)
		}
		return strings.TrimPrefix(file, "/")
	}
	if i, err := h.Stat(src); err != nil {
		return all, nil
	} else if !i.IsDir() {
		return append(all, inZip{src, name(src), i}), nil
	}
	err := below(h, src, func(file string, i host.Info) error {
		link := i.IsSymlink()
		if link {
			var err error
			if i, err = h.Stat(file); err != nil {
				return err
			}
		}
		switch {
		case i.IsDir() && link: // not followed
		case i.IsDir():
			all = append(all, inZip{file, name(file) + "/", i})
		case i.IsRegular():
			all = append(all, inZip{file, name(file), i})
		}
		return nil
	})
	return all, err
}

// writeZip writes the archive as it is made, so that it need not fit into memory.
func writeZip(h host.Host, dest string, all []inZip) error {
	r, w := io.Pipe()
	made := make(chan error, 1)
	go func() {
		err := zipTo(w, h, all)
		w.CloseWithError(err)
		made <- err
	}()
	err := h.WriteFile(dest, r, host.KeepAttr())
	r.CloseWithError(errors.New("the archive is not written"))
	if e := <-made; e != nil && err == nil {
		return e
	}
	return err
}

func zipTo(w io.Writer, h host.Reader, all []inZip) error {
	z := zip.NewWriter(w)
	for _, e := range all {
		hd := &zip.FileHeader{Name: e.name, Modified: e.info.MTime, Method: zip.Deflate}
		hd.SetMode(e.info.Mode)
		if e.info.IsDir() {
			hd.Method = zip.Store
		}
		to, err := z.CreateHeader(hd)
		if err == nil && !e.info.IsDir() {
			err = copyFile(to, h, e.file)
		}
		if err != nil {
			return err
		}
	}
	return z.Close()
}

func copyFile(to io.Writer, h host.Reader, file string) error {
	f, err := h.Open(file)
	if err != nil {
		return err
	}
	defer f.Close()
	_, err = io.Copy(to, f)
	return err
}
