package gittree

import (
	"bytes"
	"crypto/sha1"
	"crypto/sha256"
	"encoding/binary"
	"fmt"
	"hash"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"

	"github.com/gostate/gostate/state/host"
)

// many is above how many files it is not asked whether they are as in the commit: it would take too long.
const many = 20000

// Dirty says whether files below the directory are not as git has them, or something is staged. What git does not track
// does not count. Where the index cannot be read nobody knows, and it is false.
func (t *Tree) Dirty(dir string) bool {
	text, err := host.ReadRegular(filepath.Join(t.git, "index"), maxFile)
	if err != nil || len(text) < 12 || string(text[:4]) != "DIRC" {
		return false
	}
	v, n := binary.BigEndian.Uint32(text[4:]), binary.BigEndian.Uint32(text[8:])
	if v < 2 || v > 3 || n > many {
		return false
	}
	dir, err = filepath.EvalSymlinks(dir)
	if err != nil {
		return false
	}
	below, err := filepath.Rel(t.Top, dir)
	if err != nil {
		return false
	}
	rest := text[12:]
	for range n {
		var e *entry
		if e, rest = t.next(rest); e == nil {
			return false
		}
		if (below == "." || strings.HasPrefix(e.name, below+"/")) && t.differs(e) {
			return true
		}
	}
	return staged(rest)
}

// An entry of the index is a file as git last saw it.
type entry struct {
	name        string
	mode, size  uint32
	mtime, nano uint32
	hash        []byte
	skip        bool // it is not meant to be there
}

// next takes an entry off the index.
func (t *Tree) next(b []byte) (*entry, []byte) {
	const fixed = 40 // what stands before the hash
	hashed := len(t.Commit) / 2
	head := fixed + hashed + 2
	if len(b) < head+2 {
		return nil, nil
	}
	word := func(i int) uint32 { return binary.BigEndian.Uint32(b[4*i:]) }
	e := &entry{mtime: word(2), nano: word(3), mode: word(6), size: word(9), hash: b[fixed : fixed+hashed]}
	flags := binary.BigEndian.Uint16(b[fixed+hashed:])
	if flags&0x4000 != 0 { // extended
		e.skip = binary.BigEndian.Uint16(b[head:])&0x4000 != 0
		head += 2
	}
	end := bytes.IndexByte(b[head:], 0)
	if end < 0 {
		return nil, nil
	}
	e.name = string(b[head : head+end])
	length := (head + end + 8) &^ 7 // padded to eight
	if length > len(b) {
		return nil, nil
	}
	return e, b[length:]
}

// differs says whether a file is not as the index has it: by its size and time, else by its content.
func (t *Tree) differs(e *entry) bool {
	const link, module = 0o120000, 0o160000
	if e.skip || e.mode&0o170000 == module {
		return false
	}
	path := filepath.Join(t.Top, filepath.FromSlash(e.name))
	info, err := os.Lstat(path)
	if err != nil {
		return true
	}
	st := info.Sys().(*syscall.Stat_t)
	isLink := info.Mode()&fs.ModeSymlink != 0
	switch {
	case isLink != (e.mode&0o170000 == link), !isLink && !info.Mode().IsRegular(),
		!isLink && (info.Mode()&0o100 != 0) != (e.mode&0o100 != 0), uint32(info.Size()) != e.size && e.size != 0:
		return true
	case uint32(st.Mtim.Sec) == e.mtime && uint32(st.Mtim.Nsec) == e.nano && e.size != 0:
		return false
	}
	var text []byte
	if isLink {
		to, _ := os.Readlink(path)
		text = []byte(to)
	} else if text, err = host.ReadRegular(path, maxFile); err != nil {
		return true
	}
	return !bytes.Equal(t.blob(text), e.hash)
}

// blob is the hash that git gives a content.
func (t *Tree) blob(text []byte) []byte {
	var h hash.Hash = sha1.New()
	if len(t.Commit) == 64 {
		h = sha256.New()
	}
	fmt.Fprintf(h, "blob %d\x00", len(text))
	h.Write(text)
	return h.Sum(nil)
}

// staged says whether something is staged: then git has struck out the tree that the index stands for.
func staged(extensions []byte) bool {
	for len(extensions) > 8 {
		name, size := string(extensions[:4]), binary.BigEndian.Uint32(extensions[4:])
		if int64(size) > int64(len(extensions)-8) {
			return false
		}
		if name == "TREE" {
			return bytes.HasPrefix(extensions[8:], []byte("\x00-1 "))
		}
		extensions = extensions[8+size:]
	}
	return false
}
