"""A hook of mkdocs: links that lead out of docs go to the repository."""
import posixpath
import re


def on_page_markdown(markdown, page, config, **_):
    """Turns ](../x), seen from docs/page.md, into ](REPO/blob/main/x)."""
    here = posixpath.join('docs', posixpath.dirname(page.file.src_path))

    def link(match):
        target = posixpath.normpath(posixpath.join(here, match[1]))
        if target.startswith('docs/'):
            return match[0]
        return '](%s/blob/main/%s)' % (config['repo_url'], target)

    return re.sub(r'\]\((\.\./[^)\s]*)\)', link, markdown)
