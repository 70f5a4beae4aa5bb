import { execFileSync } from 'node:child_process'
import { mkdirSync, rmSync, statfsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/** A folder that is a disk of its own, in memory, which can be filled to its last block and be given room again. */
interface SmallDisk {
  fill(): void
  free(): void
  close(): void
}

const mebibyte = 1024 * 1024
/** More than a deployment asks for before it is accepted; what nobody writes takes no memory. */
const roomy = 700 * mebibyte

/** The disk, or why there can be none here. */
export function mountSmallDisk(folder: string): SmallDisk | string {
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  if (process.platform !== 'linux' || process.getuid?.() !== 0) return 'only root on Linux can mount a disk in memory'
  const mount = (options: string) =>
    execFileSync('mount', ['-t', 'tmpfs', '-o', `${options},mode=700`, 'tmpfs', folder], { stdio: 'pipe' })
  try {
    mount(`size=${roomy}`)
  } catch (error) {
    return `no disk in memory can be mounted here: ${error instanceof Error ? error.message : error}`
  }
  const filler = join(folder, 'filler')
  return {
    fill() {
      const { blocks, bfree, bsize } = statfsSync(folder)
      mount(`remount,size=${(blocks - bfree) * bsize + mebibyte}`)
      for (let part = 64 * 1024; part >= 1024; part /= 4) while (appended(filler, part));
    },
    free() {
      rmSync(filler, { force: true })
      mount(`remount,size=${roomy}`)
    },
    close: () => execFileSync('umount', ['-l', folder]),
  }
}

function appended(file: string, size: number): boolean {
  try {
    writeFileSync(file, Buffer.alloc(size, 1), { flag: 'a' })
    return true
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOSPC') return false
    throw error
  }
}
