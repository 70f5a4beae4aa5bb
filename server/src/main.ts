import { once } from 'node:events'
import { createApp } from './app.ts'
import { ConfigError, readConfig } from './platform/config/config.ts'

// Files of this process and its children are readable for its user only, also where a library sets no mode.
process.umask(0o077)

try {
  const config = readConfig(await settings())
  let stop = (): void => process.exit(0)
  // Also while it waits for its database, which has ended with its parent.
  if (config.exitWithParent) process.once('disconnect', () => stop())
  const app = await createApp(config)
  stop = () => void app.close().then(() => process.exit(0))
  process.once('SIGTERM', stop)
  process.once('SIGINT', stop)
  await app.listen()
} catch (error) {
  process.stderr.write(
    error instanceof ConfigError ? `${error.message}\n` : `${error instanceof Error ? error.stack : error}\n`,
  )
  process.exitCode = 1
  setTimeout(() => process.exit(1), 200).unref()
}

/** A launcher starts this process while its database still starts, and sends the settings when it knows them. */
async function settings(): Promise<NodeJS.ProcessEnv> {
  if (process.env.QUAYSIDE_SETTINGS_FROM_PARENT !== 'true') return process.env
  const [sent] = (await once(process, 'message')) as [NodeJS.ProcessEnv]
  return { ...process.env, ...sent }
}
