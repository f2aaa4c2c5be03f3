// Command sbom prints what a binary of gostate is made of, as a bill of materials in CycloneDX's JSON, or as a table of
// licences: it reads the build information in the binary and the licences in the module cache. The same binary gives
// the same bytes.
package main

import (
	"debug/buildinfo"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime/debug"
	"slices"
	"strings"
)

func main() {
	if err := run(os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, "sbom:", err)
		os.Exit(1)
	}
}

func run(args []string) error {
	if len(args) < 2 || len(args) > 3 || args[0] != "json" && args[0] != "licences" {
		return errors.New("usage: sbom json|licences BINARY [VERSION]")
	}
	info, err := buildinfo.ReadFile(args[1])
	if err != nil {
		return err
	}
	if len(args) == 3 { // the linker's version is not among the build information
		info.Main.Version = args[2]
	}
	slices.SortFunc(info.Deps, func(a, b *debug.Module) int { return strings.Compare(a.Path, b.Path) })
	licences := map[string]string{}
	for _, d := range info.Deps {
		if licences[d.Path], err = licence(d); err != nil {
			return err
		}
	}
	if args[0] == "licences" {
		fmt.Print(table(info, licences))
		return nil
	}
	out, err := json.MarshalIndent(bill(info, licences), "", "  ")
	if err == nil {
		_, err = fmt.Println(string(out))
	}
	return err
}

// licence is the SPDX name of a module's licence.
func licence(m *debug.Module) (string, error) {
	dir, err := exec.Command("go", "list", "-m", "-f", "{{.Dir}}", m.Path).Output()
	if err != nil {
		return "", fmt.Errorf("find %s: %w", m.Path, err)
	}
	files, err := filepath.Glob(filepath.Join(strings.TrimSpace(string(dir)), "LICENSE*"))
	if err != nil || len(files) == 0 {
		return "", fmt.Errorf("%s has no licence", m.Path)
	}
	data, err := os.ReadFile(files[0])
	if err != nil {
		return "", err
	}
	text := strings.Join(strings.Fields(string(data)), " ")
	for _, known := range [][2]string{
		{"Mozilla Public License Version 2.0", "MPL-2.0"},
		{"covered by two different licenses: MIT and Apache", "MIT AND Apache-2.0"},
		{"Apache License Version 2.0", "Apache-2.0"}, {"Permission is hereby granted, free of charge", "MIT"},
		{"endorse or promote products", "BSD-3-Clause"},
		{"Redistribution and use in source and binary forms", "BSD-2-Clause"},
	} {
		if strings.Contains(text, known[0]) {
			return known[1], nil
		}
	}
	return "", fmt.Errorf("%s: nobody knows the licence in %s", m.Path, files[0])
}

func table(info *buildinfo.BuildInfo, licences map[string]string) string {
	var b strings.Builder
	b.WriteString("# What gostate is made of\n\nThe modules in the binary, with their licences. `make licences` writes " +
		"this " +
		"page; `make sbom` gives the bill of materials of a build.\n\n| module | version | licence |\n|---|---|---|\n")
	for _, d := range info.Deps {
		fmt.Fprintf(&b, "| [%s](https://pkg.go.dev/%s) | %s | %s |\n", d.Path, d.Path, d.Version, licences[d.Path])
	}
	b.WriteString("\nand Go's standard library (BSD-3-Clause).\n")
	return b.String()
}

// A component is one of CycloneDX's.
type component struct {
	Type     string           `json:"type"`
	Ref      string           `json:"bom-ref"`
	Name     string           `json:"name"`
	Version  string           `json:"version,omitempty"`
	PURL     string           `json:"purl,omitempty"`
	Licences []map[string]any `json:"licenses,omitempty"`
}

func bill(info *buildinfo.BuildInfo, licences map[string]string) map[string]any {
	std := strings.TrimPrefix(info.GoVersion, "go")
	parts := []component{{Type: "library", Ref: "pkg:golang/std@" + std, Name: "std", Version: std,
		PURL:     "pkg:golang/std@" + std,
		Licences: expression("BSD-3-Clause")}}
	var refs []string
	for _, d := range info.Deps {
		purl := "pkg:golang/" + d.Path + "@" + d.Version
		c := component{Type: "library", Ref: purl, Name: d.Path, Version: d.Version, PURL: purl,
			Licences: expression(licences[d.Path])}
		parts, refs = append(parts, c), append(refs, purl)
	}
	main := component{Type: "application", Ref: info.Main.Path, Name: "gostate", Version: info.Main.Version}
	return map[string]any{"bomFormat": "CycloneDX", "specVersion": "1.6", "version": 1,
		"metadata": map[string]any{"component": main}, "components": parts,
		"dependencies": []map[string]any{{"ref": main.Ref, "dependsOn": append([]string{parts[0].Ref}, refs...)}}}
}

func expression(spdx string) []map[string]any { return []map[string]any{{"expression": spdx}} }
