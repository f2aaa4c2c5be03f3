package config

import (
	"github.com/gostate/gostate/modules"
	"github.com/gostate/gostate/state/value"
)

// defaults are what Salt's config.* find where nothing else says it.
func defaults() *value.Dict {
	no, empty := value.Bool(false), value.Str("")
	return value.DictOf(
		"mongo.db", value.Str("salt"), "mongo.password", empty, "mongo.port", value.Int(27017), "mongo.user", empty,
		"redis.db", value.Str("0"), "redis.host", value.Str("salt"), "redis.port", value.Int(6379),
		"test.foo", value.Str("unconfigured"),
		"ca.cert_base_path", value.Str("/etc/pki"),
		"solr.cores", value.NewList(), "solr.host", value.Str("localhost"), "solr.port", value.Str("8983"), "solr.baseurl",
		value.Str("/solr"),
		"solr.type", value.Str("master"), "solr.request_timeout", value.None, "solr.init_script", value.Str("/etc/rc.d/solr"),
		"solr.dih.import_options", value.DictOf("clean", no, "optimize", value.Bool(true), "commit", value.Bool(true),
			"verbose", no),
		"solr.backup_path", value.None, "solr.num_backups", value.Int(1),
		"poudriere.config", value.Str("/usr/local/etc/poudriere.conf"), "poudriere.config_dir",
		value.Str("/usr/local/etc/poudriere.d"),
		"ldap.uri", empty, "ldap.server", value.Str("localhost"), "ldap.port", value.Str("389"), "ldap.tls", no,
		"ldap.no_verify", no,
		"ldap.anonymous", value.Bool(true), "ldap.scope", value.Int(2), "ldap.attrs", value.None, "ldap.binddn", empty,
		"ldap.bindpw", empty,
		"hosts.file", value.Str("/etc/hosts"), "aliases.file", value.Str("/etc/aliases"),
		"virt", value.DictOf("tunnel", no, "images", value.Str("/srv/salt-images")),
		"docker.exec_driver", value.Str("docker-exec"),
		"docker.compare_container_networks", value.DictOf("static",
			modules.TextList([]string{"Aliases", "Links", "IPAMConfig"}),
			"automatic", modules.TextList([]string{"IPAddress", "Gateway", "GlobalIPv6Address", "IPv6Gateway"})),
	)
}
