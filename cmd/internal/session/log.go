package session

import (
	"encoding/json"
	"fmt"
	"strings"
	"time"
)

// ranks are the log levels; a message is shown where its rank is not above that of --log-level.
func rank(level string) int {
	switch level {
	case "critical", "error":
		return 1
	case "warning", "warn":
		return 2
	case "info":
		return 3
	case "debug":
		return 4
	case "trace":
		return 5
	case "garbage", "all", "profile":
		return 6
	}
	return 0
}

// logs says whether messages of a level are shown, or kept in --log-file's file.
func (s *Session) logs(level string) bool {
	return rank(level) <= rank(s.opts.LogLevel) || s.keeps(level)
}

func (s *Session) keeps(level string) bool {
	return s.logFile != nil && rank(level) <= rank(s.opts.LogFileLevel)
}

// log shows a message of a template or of gostate itself on standard error when the level asks for it.
func (s *Session) log(level, msg string) { s.logFields(level, msg) }

// logFields is log with what belongs to the message, names and values in turn.
func (s *Session) logFields(level, msg string, fields ...any) {
	if !s.logs(level) {
		return
	}
	hide := s.process.shownErr().Text
	if s.opts.LogFormat == "json" && rank(level) <= rank(s.opts.LogLevel) {
		s.logJSON(level, hide(msg), fields)
	}
	for i := 0; i+1 < len(fields); i += 2 {
		text := fmt.Sprint(fields[i+1])
		if text == "" || strings.ContainsAny(text, " \n\"") {
			text = fmt.Sprintf("%q", text)
		}
		msg += fmt.Sprintf(" %s=%s", fields[i], text)
	}
	if s.keeps(level) {
		s.logTo(s.logFile, level, hide(msg))
	}
	if s.opts.LogFormat != "json" && rank(level) <= rank(s.opts.LogLevel) {
		fmt.Fprintf(s.process.Err, "[%s] %s\n", strings.ToUpper(level), hide(msg))
	}
}

// logJSON writes a message as one object a line; durations are in seconds.
func (s *Session) logJSON(level, msg string, fields []any) {
	quoted := func(v any) string {
		if d, ok := v.(time.Duration); ok {
			v = d.Seconds()
		}
		if text, ok := v.(string); ok {
			v = s.process.shownErr().Text(text)
		}
		raw, err := json.Marshal(v)
		if err != nil {
			raw, _ = json.Marshal(fmt.Sprint(v))
		}
		return string(raw)
	}
	line := `{"time":` + quoted(time.Now().Format(time.RFC3339Nano)) + `,"level":` + quoted(level) + `,"msg":` +
		quoted(msg)
	for i := 0; i+1 < len(fields); i += 2 {
		line += "," + quoted(fields[i]) + ":" + quoted(fields[i+1])
	}
	fmt.Fprintln(s.process.Err, line+"}")
}
