import { statfs } from 'node:fs/promises'
import { fail } from '../../../platform/http/errors.ts'

const leastFreeBytes = 512 * 1024 * 1024
/** A write that found no room left less than this, or was about another disk. */
const almostNothing = 16 * 1024 * 1024

/** A deployment that would fill the disk is refused before it is accepted, not after. */
export async function needsDisk(dataDir: string): Promise<void> {
  if ((await freeBytes(dataDir)) < leastFreeBytes) throw fail('deployment.disk-full')
}

/** Helm does not say which disk is full: if it is the portal's own, the message says so and how to fix it. */
export async function explainFullDisk(dataDir: string, said: string | null): Promise<string | null> {
  if (said === null || !/no space left on device/i.test(said)) return said
  return (await freeBytes(dataDir)) < almostNothing
    ? `${fail('deployment.disk-full').message} Helm said: ${said}`
    : said
}

async function freeBytes(folder: string): Promise<number> {
  const { bavail, bsize } = await statfs(folder)
  return bavail * bsize
}
