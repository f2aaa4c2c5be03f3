//go:build integration

package integration

import "testing"

// TestApps keeps certificates that openssl checks, programs of a real supervisord, users of a real htpasswd, and a
// virtual environment, and asks a web server.
func TestApps(t *testing.T) {
	m := boot(t, "gs-apps")
	m.sh("apt-get -qq update; DEBIAN_FRONTEND=noninteractive apt-get -qq install --no-install-recommends supervisor " +
		"apache2-utils openssl python3-venv >/dev/null 2>&1; mkdir -p /srv/www; systemd-run -q python3 -m http.server -d " +
		"/srv/www 8099; sleep 1")
	m.write(map[string]string{
		"pki": `/srv/pki:
  file.directory: []
/srv/pki/ca.key:
  x509.private_key_managed: [{bits: 2048}]
/srv/pki/ca.crt:
  x509.certificate_managed:
    - signing_private_key: /srv/pki/ca.key
    - CN: ca.example
    - basicConstraints: critical CA:true
    - keyUsage: critical cRLSign, keyCertSign
    - subjectKeyIdentifier: hash
    - authorityKeyIdentifier: keyid,issuer:always
    - days_valid: 3650
/srv/pki/www.key:
  x509.private_key_managed: [{algo: ec}, {passphrase: secret}]
/srv/pki/www.csr:
  x509.csr_managed: [{private_key: /srv/pki/www.key}, {private_key_passphrase: secret}, {CN: www.example}, {subjectAltName: 'DNS:www.example, IP:192.0.2.1'}]
/srv/pki/www.crt:
  x509.certificate_managed: [{csr: /srv/pki/www.csr}, {signing_private_key: /srv/pki/ca.key}, {signing_cert: /srv/pki/ca.crt}, {days_remaining: 30}]
/srv/pki/ca.crl:
  x509.crl_managed:
    - signing_private_key: /srv/pki/ca.key
    - signing_cert: /srv/pki/ca.crt
    - revoked: [{www: [{certificate: /srv/pki/www.crt}, {reason: keyCompromise}]}]
`,
		"programs": `/etc/supervisor/conf.d/web.conf:
  file.managed:
    - contents: "[program:web]\ncommand = /bin/sleep 1000\nstartsecs = 0\n"
web:
  supervisord.running: [{require: [{file: /etc/supervisor/conf.d/web.conf}]}]
`,
		"noprograms": "web:\n  supervisord.dead: []\n",
		"users": `larry:
  webutil.user_exists: [{htpasswd_file: /srv/users}, {password: secret}, {options: B}, {update: true}]
moe:
  webutil.user_exists: [{htpasswd_file: /srv/users}, {password: other}]
`,
		"nousers": "moe:\n  webutil.user_absent: [{htpasswd_file: /srv/users}]\n",
		"venv":    "/srv/venv:\n  virtualenv.managed: []\n",
	})
	for _, sls := range []string{"pki", "programs", "users", "venv"} {
		t.Run(sls, func(t *testing.T) { m.t = t; m.converge(sls) })
	}
	m.t = t
	m.want("cd /srv/pki; openssl verify -CAfile ca.crt www.crt; openssl req -in www.csr -noout -verify 2>&1; openssl crl "+
		"-in ca.crl -CAfile ca.crt -noout 2>&1; openssl ec -in www.key -passin pass:secret -noout 2>&1 | tail -1; stat -c %a "+
		"ca.key; openssl x509 -in www.crt -noout -ext subjectAltName | tail -1 | xargs",
		"www.crt: OK\nCertificate request self-signature verify OK\nverify OK\nread EC key\n400\nDNS:www.example, IP "+
			"Address:192.0.2.1")
	m.want("supervisorctl status web | awk '{print $2}'; htpasswd -vb /srv/users larry secret 2>&1; /srv/venv/bin/pip "+
		"--version | cut -c1-4", "RUNNING\nPassword for user larry correct.\npip")
	for _, sls := range []string{"noprograms", "nousers"} {
		t.Run(sls, func(t *testing.T) { m.t = t; m.converge(sls) })
	}
	m.t = t
	m.want("supervisorctl status web | awk '{print $2}'; cut -d: -f1 /srv/users", "STOPPED\nlarry")
	m.write(map[string]string{"ask": "http://127.0.0.1:8099/:\n  http.query: [{status: 200}, {match: Directory}]\n" +
		"http://127.0.0.1:8099/none:\n  http.wait_for_successful_query: [{status: 404}, {wait_for: 5}]\n"})
	if got, stderr, _ := m.apply("tree", "sls", "ask"); len(got.failed()) > 0 {
		t.Errorf("%s %s", got.explain(), stderr)
	}
}
