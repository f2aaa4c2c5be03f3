package release

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/gostate/gostate/cmd/internal/disk"
)

// A Stage is a store on which a roll-out goes on: single machines may have a newer release than their environment, and
// a note says how far it came.
type Stage interface {
	Store
	// Pin makes a signed release the newest one of single machines; nil takes that back.
	Pin(ctx context.Context, env string, nodes []string, signed []byte) error
	// Note is a small document, nil where there is none.
	Note(ctx context.Context, name string) ([]byte, error)
	// SwapNote replaces a note at once; ErrConflict where it is not what it was any more (nil for none).
	SwapNote(ctx context.Context, name string, data, was []byte) error
}

// PinKey is what stands in the place of an environment for the pointer of one of its machines. Neither name has a "/".
func PinKey(env, node string) string { return env + "/" + node }

// For is what a machine sees of a source: the release of its environment, or its own while a roll-out gives it a newer
// one. Both prove themselves; who serves them can keep news from it, as ever.
func For(s Source, node string) Source { return own{s, node} }

type own struct {
	Source
	node string
}

// Pointer is the one of the higher sequence. A pointer of its own that cannot be read is none: it is the exception.
func (o own) Pointer(ctx context.Context, env string) ([]byte, error) {
	all, err := o.Source.Pointer(ctx, env)
	if err != nil && !errors.Is(err, ErrNone) {
		return nil, err
	}
	mine, fault := o.Source.Pointer(ctx, PinKey(env, o.node))
	if fault != nil {
		return all, err
	}
	pinned, fault := Peek(mine)
	if fault != nil || pinned.Env != env {
		return all, err
	}
	if now, fault := Peek(all); err == nil && (fault != nil || now.Sequence >= pinned.Sequence) {
		return all, nil
	}
	return mine, nil
}

// Pin writes env/ENV/NODE.json for each machine.
func (d Dir) Pin(ctx context.Context, env string, nodes []string, signed []byte) error {
	if err := os.MkdirAll(d.at("env/"+env), 0o755); err != nil {
		return err
	}
	for _, node := range nodes {
		if !GoodName(node) {
			return fmt.Errorf("%q is no name of a machine", node)
		}
		file := d.at(PointerPath(PinKey(env, node)))
		var err error
		if signed == nil {
			err = os.Remove(file)
		} else if now, fault := os.ReadFile(file); fault != nil || !bytes.Equal(now, signed) {
			err = disk.WriteFile(file, signed, 0o644)
		}
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
		if err := ctx.Err(); err != nil {
			return err
		}
	}
	if signed != nil {
		return nil
	}
	return d.clear("env/" + env)
}

// clear takes away what an operator's program that was killed has begun to write: nobody else writes there now.
func (d Dir) clear(dir string) error {
	left, err := filepath.Glob(filepath.Join(d.at(dir), disk.Unfinished))
	for _, file := range left {
		err = errors.Join(err, os.Remove(file))
	}
	return err
}

func (d Dir) noteFile(name string) string { return d.at("rollout/" + name + ".json") }

// Note reads rollout/NAME.json.
func (d Dir) Note(_ context.Context, name string) ([]byte, error) {
	f, err := os.Open(d.noteFile(name))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return readAtMost(f, MaxIndex, "the note")
}

// SwapNote writes it under the directory's lock.
func (d Dir) SwapNote(ctx context.Context, name string, data, was []byte) error {
	if err := d.make(); err != nil {
		return err
	}
	if err := os.MkdirAll(filepath.Dir(d.noteFile(name)), 0o755); err != nil {
		return err
	}
	unlock, err := d.lock()
	if err != nil {
		return err
	}
	defer unlock()
	now, err := d.Note(ctx, name)
	if err != nil {
		return err
	}
	if !bytes.Equal(now, was) {
		return ErrConflict
	}
	return disk.WriteFile(d.noteFile(name), data, 0o644)
}
