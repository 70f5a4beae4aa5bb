import { closeSync, openSync, renameSync, statSync, writeSync } from 'node:fs'
import { Writable } from 'node:stream'

/** A log that keeps its last lines for error messages and never takes more than twice `limit` bytes of disk. */
export function openLog(file: string, limit = 16 * 1024 * 1024): Writable & { tail(): string } {
  let fd = openSync(file, 'a', 0o600)
  let size = statSync(file).size
  let last = ''
  const log = new Writable({
    write(chunk: Buffer, _, done) {
      last = (last + chunk.toString()).slice(-4000)
      if (size + chunk.length > limit) {
        closeSync(fd)
        renameSync(file, `${file}.1`)
        fd = openSync(file, 'a', 0o600)
        size = 0
      }
      size += chunk.length
      // A full disk must not take the portal down with it: the line is lost, the portal goes on.
      try {
        writeSync(fd, chunk)
      } catch {}
      done()
    },
    destroy(error, done) {
      closeSync(fd)
      done(error)
    },
  })
  return Object.assign(log, { tail: () => last.trim().split('\n').slice(-5).join('\n') })
}
