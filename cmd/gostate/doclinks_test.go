package main

import (
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

var (
	docLink    = regexp.MustCompile(`\]\(([^)\s]+)\)`)
	docHeading = regexp.MustCompile("(?m)^#+ +(.*)$")
	docFenced  = regexp.MustCompile("(?ms)^```.*?^```")
	docInline  = regexp.MustCompile("`[^`\n]*`")
)

// TestDocLinks finds links of the pages that lead nowhere: to a file, or to a heading of one.
func TestDocLinks(t *testing.T) {
	for _, page := range everyPage(t) {
		text := docInline.ReplaceAllString(docFenced.ReplaceAllString(readText(t, page), ""), "")
		for _, m := range docLink.FindAllStringSubmatch(text, -1) {
			if strings.Contains(m[1], "://") || strings.HasPrefix(m[1], "mailto:") {
				continue
			}
			file, anchor, _ := strings.Cut(m[1], "#")
			target := filepath.Join(filepath.Dir(page), file)
			if file == "" {
				target = page
			}
			if _, err := os.Stat(target); err != nil {
				t.Errorf("%s: %s leads nowhere", page, m[1])
				continue
			}
			if anchor != "" && !hasHeading(readText(t, target), anchor) {
				t.Errorf("%s: %s: there is no such heading", page, m[1])
			}
		}
	}
}

// everyPage are all pages of the repository, made ones too.
func everyPage(t *testing.T) (pages []string) {
	t.Helper()
	pages, _ = filepath.Glob(filepath.Join("..", "..", "*.md"))
	docs := filepath.Join("..", "..", "docs")
	err := filepath.WalkDir(docs, func(path string, _ fs.DirEntry, err error) error {
		if strings.HasSuffix(path, ".md") {
			pages = append(pages, path)
		}
		return err
	})
	if err != nil || len(pages) < 50 {
		t.Fatalf("%d pages: %v", len(pages), err)
	}
	return pages
}

// hasHeading says whether a heading has the anchor, both by the rules of GitHub and by those of mkdocs.
func hasHeading(text, anchor string) bool {
	for _, m := range docHeading.FindAllStringSubmatch(docFenced.ReplaceAllString(text, ""), -1) {
		words := regexp.MustCompile(`[^\p{L}\p{N}_\s-]`).ReplaceAllString(strings.ToLower(m[1]), "")
		github := strings.ReplaceAll(words, " ", "-")
		if github == anchor && regexp.MustCompile(`[-\s]+`).ReplaceAllString(words, "-") == anchor {
			return true
		}
	}
	return false
}

// TestDocsAreFound holds every page that a person wrote to a place in the navigation of the site and in the list of
// docs/README.md, and every decision to its list.
func TestDocsAreFound(t *testing.T) {
	site := readText(t, filepath.Join("..", "..", "mkdocs.yml"))
	list := readText(t, filepath.Join("..", "..", "docs", "README.md"))
	for _, page := range allPages(t)[1:] {
		name, err := filepath.Rel(filepath.Join("..", "..", "docs"), page)
		if err != nil {
			t.Fatal(err)
		}
		if !strings.Contains(site, " "+name+"\n") {
			t.Errorf("%s is not in the navigation of mkdocs.yml", name)
		}
		if name != "README.md" && !strings.Contains(list, "("+name+")") {
			t.Errorf("%s is not in the list of docs/README.md", name)
		}
	}
	decisions, _ := filepath.Glob(filepath.Join("..", "..", "docs", "decisions", "0*.md"))
	index := readText(t, filepath.Join("..", "..", "docs", "decisions", "README.md"))
	for _, d := range decisions {
		if !strings.Contains(index, "("+filepath.Base(d)+")") {
			t.Errorf("%s is not in the list of docs/decisions/README.md", filepath.Base(d))
		}
	}
}
