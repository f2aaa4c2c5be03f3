package file

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/gostate/gostate/state"
	"github.com/gostate/gostate/state/host"
	"github.com/gostate/gostate/state/value"
)

// sameAttributes compares sets of letters. Extents (e) cannot be taken away, so they count only when asked for.
func sameAttributes(have, want string) bool {
	for _, r := range want {
		if !strings.ContainsRune(have, r) {
			return false
		}
	}
	for _, r := range have {
		if r != 'e' && !strings.ContainsRune(want, r) {
			return false
		}
	}
	return true
}

// setAttributes gives the path the file attributes and the SELinux label, where they differ, and adds that to changes.
func setAttributes(ctx context.Context, h host.Host, name string, p perms, changes *value.Dict) error {
	if p.attrs != nil {
		if err := chattr(ctx, h, name, *p.attrs, changes); err != nil {
			return err
		}
	}
	if p.selinux == nil || p.selinux.Len() == 0 {
		return nil
	}
	was, want, err := labels(h, name, p.selinux)
	if err != nil || was == want {
		return err
	}
	if err := h.SetXattr(name, "security.selinux", []byte(want+"\x00")); err != nil {
		return fmt.Errorf("Failed to set selinux attributes: %w", err)
	}
	changes.SetStr("selinux", labelChange(was, want))
	return nil
}

func chattr(ctx context.Context, h host.Host, name, attrs string, changes *value.Dict) error {
	old, ok := lsattr(ctx, h, name)
	if !ok || sameAttributes(old, attrs) {
		return nil
	}
	err := h.Do(ctx, host.Deed{What: "chattr " + name, Foretell: func(host.Host) error { return nil },
		Do: func(ctx context.Context) error {
			out, err := h.Run(ctx, host.Cmd{Args: []string{"chattr", "=" + attrs, "--", name}, Combine: true})
			if err == nil && out.Code != 0 {
				err = fmt.Errorf("Failed to change attributes to %s: %s", attrs, strings.TrimSpace(string(out.Stdout)))
			}
			return err
		}})
	if err != nil {
		return &state.PropertyError{Name: "attrs", Err: err}
	}
	changes.SetStr("attrs", value.DictOf("old", value.Str(old), "new", value.Str(attrs)))
	return nil
}

// labels are the SELinux label of a path and the one that it should have.
func labels(h host.Reader, name string, want *value.Dict) (was, should string, err error) {
	attrs, err := h.Xattrs(name)
	if err != nil {
		return "", "", err
	}
	was = strings.TrimRight(string(attrs["security.selinux"]), "\x00")
	parts := strings.SplitN(was, ":", 4)
	if len(parts) != 4 {
		return "", "", errors.New("Failed to get selinux attributes")
	}
	for i, key := range []string{"seuser", "serole", "setype", "serange"} {
		if v, ok := want.GetStr(key); ok && value.Truth(v) {
			parts[i] = value.String(v)
		}
	}
	return was, strings.Join(parts, ":"), nil
}

// labelChange shows the parts that differ, as Salt does.
func labelChange(was, want string) *value.Dict {
	var old, new []string
	a, b := strings.SplitN(was, ":", 4), strings.SplitN(want, ":", 4)
	for i, word := range []string{"User", "Role", "Type", "Range"} {
		if a[i] != b[i] {
			old, new = append(old, word+": "+a[i]), append(new, word+": "+b[i])
		}
	}
	return value.DictOf("Old", value.Str(strings.Join(old, " ")), "New", value.Str(strings.Join(new, " ")))
}
