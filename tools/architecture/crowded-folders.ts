import { dirname } from 'node:path'

export const mostFiles = 25

export const why = 'Put those that belong together into a folder named after what they are for.'

/** Folders in which more source files stand beside each other than a person takes in at a glance. */
export function crowded(files: readonly string[]): { folder: string; count: number }[] {
  const counts = new Map<string, number>()
  for (const file of files) counts.set(dirname(file), (counts.get(dirname(file)) ?? 0) + 1)
  return [...counts].filter(([, count]) => count > mostFiles).map(([folder, count]) => ({ folder, count }))
}
