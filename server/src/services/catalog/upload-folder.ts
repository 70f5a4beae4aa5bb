import { randomUUID } from 'node:crypto'
import { type FileHandle, mkdir, open, rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { Packed } from './intake/packed.ts'

const chunkBytes = 64 * 1024

/** Uploads on the local disk, each in a file that lasts as long as the work on it. */
export interface UploadFolder {
  /** Removes the files of a process that was killed. An upload under way keeps its content: its file is open. */
  sweep(): Promise<void>
  /** Gives `work` an empty file to write and read, and removes the file when the work has ended, however it ends. */
  withFile<T>(work: (file: FileHandle) => Promise<T>): Promise<T>
}

/** Keeps uploads in the folder `uploads` of the data folder, readable for the portal's own user only. */
export function createUploadFolder(dataDir: string): UploadFolder {
  const folder = join(dataDir, 'uploads')
  return {
    sweep: () => rm(folder, { recursive: true, force: true }),
    async withFile(work) {
      await mkdir(folder, { recursive: true, mode: 0o700 })
      const path = join(folder, randomUUID())
      try {
        const file = await open(path, 'wx+', 0o600)
        try {
          return await work(file)
        } finally {
          await file.close()
        }
      } finally {
        await rm(path, { force: true })
      }
    },
  }
}

/** The whole content of a file as an archive to inspect; never more than one chunk of it is in memory. */
export async function packedInFile(file: FileHandle): Promise<Packed> {
  const { size } = await file.stat()
  return {
    size,
    async *chunks() {
      for (let position = 0; ; ) {
        const { bytesRead, buffer } = await file.read({ buffer: Buffer.allocUnsafe(chunkBytes), position })
        if (bytesRead === 0) return
        position += bytesRead
        yield buffer.subarray(0, bytesRead)
      }
    },
  }
}
