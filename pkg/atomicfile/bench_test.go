package atomicfile

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"testing"
)

// An update that changes one line of an 11 MB file, beside a plain copy of it, which promises nothing, and one that is synced.

func largeFile(b *testing.B) string {
	const size = 11 << 20
	path := newFile(b, string(bytes.Repeat([]byte("- name: avd-eu-0.contoso.example\n"), size/33)))
	b.SetBytes(size)
	b.ReportAllocs()
	return path
}

func BenchmarkUpdate(b *testing.B) {
	path := largeFile(b)
	for n := 0; b.Loop(); n++ {
		_, err := Update(context.Background(), path, Options{}, func(old []byte) ([][]byte, error) {
			return [][]byte{old[:5<<20], fmt.Appendf(nil, "%08d", n), old[5<<20+8:]}, nil
		})
		if err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkCopy(b *testing.B)       { benchmarkCopy(b, false) }
func BenchmarkSyncedCopy(b *testing.B) { benchmarkCopy(b, true) }

func benchmarkCopy(b *testing.B, sync bool) {
	path := largeFile(b)
	for b.Loop() {
		content, err := os.ReadFile(path)
		if err != nil {
			b.Fatal(err)
		}
		f, err := os.Create(path + ".copy")
		if err != nil {
			b.Fatal(err)
		}
		if _, err := f.Write(content); err != nil {
			b.Fatal(err)
		}
		if sync {
			if err := f.Sync(); err != nil {
				b.Fatal(err)
			}
		}
		if err := f.Close(); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkSmallUpdate(b *testing.B) {
	path := newFile(b, "old")
	for n := 0; b.Loop(); n++ {
		if _, err := Update(context.Background(), path, Options{}, to(fmt.Sprint(n))); err != nil {
			b.Fatal(err)
		}
	}
}
