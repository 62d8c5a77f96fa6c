package atomicfile

import (
	"io/fs"
	"os"
	"syscall"
	"time"
	"unsafe"

	"golang.org/x/sys/unix"
)

// changeTime is when the file's content, or anything else about it, was last changed; unlike the time of modification nobody can set it.
func changeTime(info fs.FileInfo) (t time.Time, ok bool) {
	st, ok := info.Sys().(*syscall.Stat_t)
	if !ok {
		return time.Time{}, false
	}
	return time.Unix(st.Ctim.Unix()), true
}

// startWriteback begins to write a part of f to the disk and does not wait for it. It is a hint: Sync waits, and tells what failed.
func startWriteback(f *os.File, offset, size int64) {
	_ = unix.SyncFileRange(int(f.Fd()), offset, size, unix.SYNC_FILE_RANGE_WRITE)
}

// populate gets the memory of a large new buffer at once, which otherwise comes page by page while it is filled. It is a hint, too.
func populate(buffer []byte) {
	page := os.Getpagesize()
	start := int(-uintptr(unsafe.Pointer(unsafe.SliceData(buffer))) % uintptr(page))
	if whole := (len(buffer) - start) / page * page; whole >= 1<<20 {
		_ = unix.Madvise(buffer[start:start+whole], unix.MADV_POPULATE_WRITE)
	}
}

// forget lets the system drop what it keeps of a file in memory.
func forget(path string) {
	f, err := openRead(path)
	if err != nil {
		return
	}
	_ = unix.Fadvise(int(f.Fd()), 0, 0, unix.FADV_DONTNEED)
	f.Close()
}
