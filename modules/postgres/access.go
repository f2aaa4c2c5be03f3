package postgres

// access are the arguments that say who speaks with which server.
type access struct {
	User       string `arg:"user,word" doc:"The user of the machine who connects; postgres where a local server is spoken with."`
	DBUser     string `arg:"db_user,word" doc:"The role to connect as, unless the configuration says another."`
	DBPassword string `arg:"db_password,secret" doc:"The password of the role that connects."`
	DBHost     string `arg:"db_host,word" doc:"The server's name or address, or the directory of its socket."`
	DBPort     string `arg:"db_port,word" doc:"The server's port."`
}

func (a access) server(database string) server {
	return server{runas: a.User, host: a.DBHost, port: a.DBPort, user: a.DBUser, password: a.DBPassword,
		database: database}
}

// maintained is embedded by states that work in one database, or in none.
type maintained struct {
	MaintenanceDB string `arg:"maintenance_db" doc:"The database to connect to."`
	access
}

func (m maintained) server() server { return m.access.server(m.MaintenanceDB) }
