package cmd

import (
	"os"
	"strconv"
	"strings"
	"unicode/utf8"
)

// Bash hands a completion function its words cut at characters such as = and @,
// quotes and all, and replaces only the last piece by the answer. So the whole
// line comes here, and the answer is that piece, quoted as the line needs it.

// listCompletions is the COMP_TYPE with which bash lists candidates and puts
// nothing in: '?', the second TAB.
const listCompletions = "63"

// completeBash answers for the line up to the cursor, of which bash replaces
// text, its end. For a list the answer is for eyes, with descriptions that fit
// the terminal.
func (a *app) completeBash(line, text string, list bool, columns string) ([]string, offer) {
	l := readBash(line)
	if l.redirected {
		return nil, offer{files: true}
	}
	if len(l.words) < 2 {
		return nil, offer{}
	}
	o := a.offerInTime(l.words[1:])
	if list && len(o.candidates) > 1 {
		return listing(o.candidates, width(columns)), o
	}
	word := l.words[len(l.words)-1]
	raw := line[l.start:]
	kept := readBash("x " + strings.TrimSuffix(raw, text))
	before := kept.words[len(kept.words)-1]
	values := sameCase(o.candidates, word)
	var answer []string
	for _, v := range values {
		if hasPrefixFold(v, before) {
			answer = append(answer, quoteBash(v[len(before):], kept.quote))
		}
	}
	return answer, o
}

// sameCase lets the candidates begin with the word as it is typed where they
// have nothing so long in common: readline would take typed letters away.
func sameCase(candidates []candidate, word string) []string {
	values := make([]string, len(candidates))
	differ := false
	for i, c := range candidates {
		values[i] = c.value
		differ = differ || c.value[:len(word)] != candidates[0].value[:len(word)]
	}
	if differ {
		for i, v := range values {
			values[i] = word + v[len(word):]
		}
	}
	return values
}

// listing shows candidates with their descriptions, each in a line.
func listing(candidates []candidate, columns int) []string {
	widest := 0
	for _, c := range candidates {
		widest = max(widest, utf8.RuneCountInString(c.value))
	}
	lines := make([]string, len(candidates))
	for i, c := range candidates {
		lines[i] = c.value
		room := columns - widest - 5
		if c.about == "" || room < 10 {
			continue
		}
		about := c.about
		if len(about) > room {
			about = about[:room-3] + "..."
		}
		lines[i] += strings.Repeat(" ", widest-utf8.RuneCountInString(c.value)) + "  (" + about + ")"
	}
	return lines
}

// width reads a number of columns; 80 where there is none.
func width(text string) int {
	if n, err := strconv.Atoi(text); err == nil && n > 0 {
		return n
	}
	return 80
}

// bashLine is a command line of bash that may end within a word or quotes.
type bashLine struct {
	words      []string // as the command gets them; the last as far as it is typed
	start      int      // where the last word begins
	quote      byte     // the quote that is open at the end, or 0
	redirected bool     // the last word is a file that output goes to
}

// readBash reads a line as bash does, except that nothing is run or expanded
// but variables of the environment.
func readBash(line string) bashLine {
	var l bashLine
	var word strings.Builder
	inWord := false
	begin := func(at int) {
		if !inWord {
			inWord, l.start = true, at
		}
	}
	end := func() {
		if inWord && !l.redirected {
			l.words = append(l.words, word.String())
		}
		if inWord {
			l.redirected = false
		}
		word.Reset()
		inWord = false
	}
	for i := 0; i < len(line); i++ {
		c := line[i]
		switch {
		case l.quote == '\'' && c != '\'' || l.quote == '"' && !strings.ContainsRune("\"\\$", rune(c)):
			word.WriteByte(c)
		case l.quote != 0 && c == l.quote:
			l.quote = 0
		case c == '\\':
			begin(i)
			i++
			if i < len(line) {
				if l.quote != 0 && !strings.ContainsRune("\"\\$`", rune(line[i])) {
					word.WriteByte(c)
				}
				word.WriteByte(line[i])
			}
		case c == '$':
			begin(i)
			name, size := variable(line[i+1:])
			if size == 0 {
				word.WriteByte(c)
			}
			word.WriteString(os.Getenv(name))
			i += size
		case c == '\'' || c == '"':
			begin(i)
			l.quote = c
		case c == ' ' || c == '\t' || c == '\n':
			end()
		case c == '<' || c == '>':
			if strings.Trim(word.String(), "0123456789&") == "" {
				inWord = false // the number of a stream
			}
			end()
			l.redirected = true
		default:
			begin(i)
			word.WriteByte(c)
		}
	}
	if !inWord {
		l.start = len(line)
	}
	l.words = append(l.words, word.String())
	return l
}

// variable reads the name of a variable behind a dollar sign, plain or in
// braces, and how many bytes it takes.
func variable(s string) (name string, size int) {
	inner, braces := strings.CutPrefix(s, "{")
	for size < len(inner) && (inner[size] == '_' || inner[size] >= 'A' && inner[size] <= 'Z' || inner[size] >= 'a' && inner[size] <= 'z' || size > 0 && inner[size] >= '0' && inner[size] <= '9') {
		size++
	}
	name = inner[:size]
	switch {
	case !braces || size == 0:
		return name, size
	case size < len(inner) && inner[size] == '}':
		return name, size + len("{}")
	}
	return "", 0
}

// quoteBash writes text so that bash takes it for nothing but itself. A quote
// that is open before it is closed: readline does so only where the text does
// not end in one.
func quoteBash(text string, quote byte) string {
	var b strings.Builder
	for i := range len(text) {
		c := text[i]
		switch {
		case quote == '\'' && c == '\'':
			b.WriteString(`'\''`)
		case quote == '"' && c == '!':
			b.WriteString(`"'!'"`) // no backslash keeps it from recalling a command
		case quote == '"' && strings.ContainsRune("\"\\$`", rune(c)),
			quote == 0 && c < utf8.RuneSelf && !bareBash(c):
			b.WriteString(`\` + string(rune(c)))
		default:
			b.WriteByte(c)
		}
	}
	if quote != 0 {
		b.WriteByte(quote)
	}
	return b.String()
}

func bareBash(c byte) bool {
	return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || strings.IndexByte("_-+=./:,@%", c) >= 0
}
