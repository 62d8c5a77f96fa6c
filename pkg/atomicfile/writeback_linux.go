package atomicfile

import (
	"os"

	"golang.org/x/sys/unix"
)

// startWriteback begins to write a part of f to the disk and does not wait for it. It is a hint: Sync waits, and tells what failed.
func startWriteback(f *os.File, offset, size int64) {
	_ = unix.SyncFileRange(int(f.Fd()), offset, size, unix.SYNC_FILE_RANGE_WRITE)
}
