import type { FileHandle } from 'node:fs/promises'
import type { UploadReply } from '@quayside/contract/catalog/endpoints'
import type { Semaphore } from '../../platform/concurrency/semaphore.ts'
import type { Db } from '../../platform/db/db.ts'
import { fail, isDiskFull } from '../../platform/http/errors.ts'
import { inspectChart } from './intake/inspect.ts'
import { refuse } from './intake/refuse.ts'
import { type Origin, publish } from './publish.ts'
import { packedInFile, type UploadFolder } from './upload-folder.ts'

interface TakeInDeps {
  db: Db
  folder: UploadFolder
  inspections: Semaphore
}

/** A package as its source names it. */
interface Expected {
  chart: string
  version: string
}

/** Takes in what a source has: `receive` writes the package to a file, which is then treated as an upload is. */
export function createTakeIn({ db, folder, inspections }: TakeInDeps) {
  return async (
    origin: Origin,
    expected: Expected,
    receive: (file: FileHandle) => Promise<void>,
  ): Promise<UploadReply> => {
    try {
      return await folder.withFile(async (file) => {
        await receive(file)
        return await inspections.run(async () => {
          const inspected = await inspectChart(await packedInFile(file))
          const { name, version } = inspected.chart
          if (name !== expected.chart || version !== expected.version)
            throw refuse(
              `The package says that it is ${name} ${version}, and the source that it is ${expected.chart} ${expected.version}.`,
            )
          return publish(db, origin, inspected)
        })
      })
    } catch (error) {
      throw isDiskFull(error) ? fail('catalog.disk-full', { cause: error }) : error
    }
  }
}
export type TakeIn = ReturnType<typeof createTakeIn>
