package file

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/gostate/gostate/state/host"
	"github.com/gostate/gostate/state/value"
)

// attributesDiffer adds to changes what of the file attributes and the SELinux label the path has not.
func attributesDiffer(ctx context.Context, h host.Reader, name string, p perms, changes *value.Dict) error {
	if p.attrs != nil {
		if old, ok := lsattr(ctx, h, name); ok && !sameAttributes(old, *p.attrs) {
			changes.SetStr("attrs", value.DictOf("old", value.Str(old), "new", value.Str(*p.attrs)))
		}
	}
	if p.selinux == nil || p.selinux.Len() == 0 {
		return nil
	}
	was, want, err := labels(h, name, p.selinux)
	if err == nil && was != want {
		changes.SetStr("selinux", labelChange(was, want))
	}
	return err
}

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

// setAttributes gives the path the file attributes and the SELinux label, where they differ.
func setAttributes(ctx context.Context, h host.Host, name string, p perms, changes *value.Dict) error {
	todo := value.NewDict(2)
	if err := attributesDiffer(ctx, h, name, p, todo); err != nil {
		return err
	}
	if v, ok := todo.GetStr("attrs"); ok {
		out, err := h.Run(ctx, host.Cmd{Args: []string{"chattr", "=" + *p.attrs, "--", name}, Combine: true})
		switch {
		case errors.Is(err, host.ErrPreview):
		case err != nil:
			return err
		case out.Code != 0:
			return fmt.Errorf("Failed to change attributes to %s: %s", *p.attrs, strings.TrimSpace(string(out.Stdout)))
		}
		changes.SetStr("attrs", v)
	}
	if v, ok := todo.GetStr("selinux"); ok {
		_, want, err := labels(h, name, p.selinux)
		if err == nil {
			err = h.SetXattr(name, "security.selinux", []byte(want+"\x00"))
		}
		if err != nil {
			return fmt.Errorf("Failed to set selinux attributes: %w", err)
		}
		changes.SetStr("selinux", v)
	}
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
