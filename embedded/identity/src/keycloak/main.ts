import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { fetchKeycloak, missingProgram } from './fetch.ts'
import { runKeycloak } from './run.ts'

const USAGE = `npm run keycloak [-- <command> …]

Fetches a real Keycloak with Maven and starts it with a client for the portal. With a command, runs it with KEYCLOAK_URL,
KEYCLOAK_CLIENT_ID and KEYCLOAK_CLIENT_SECRET set and ends with its code; else runs until it is interrupted.`

const [clientFile = '', ...words] = process.argv.slice(2)
const missing = missingProgram()

if (words[0] === '--help') console.log(USAGE)
else if (missing) console.log(`There is no ${missing} here, so no real Keycloak can be started: skipped.`)
else await run(words)

async function run([command, ...args]: string[]): Promise<void> {
  const interrupted = Promise.race([once(process, 'SIGINT'), once(process, 'SIGTERM')])
  const keycloak = await runKeycloak(
    fetchKeycloak((line) => console.error(line)),
    clientFile,
  )
  const env = {
    KEYCLOAK_URL: keycloak.url,
    KEYCLOAK_CLIENT_ID: keycloak.clientId,
    KEYCLOAK_CLIENT_SECRET: keycloak.clientSecret,
  }
  try {
    if (!command) {
      for (const [name, value] of Object.entries(env)) console.log(`export ${name}=${value}`)
      await interrupted
      return
    }
    const child = spawn(command, args, { stdio: 'inherit', env: { ...process.env, ...env } })
    const ended = once(child, 'exit')
    void interrupted.then(() => child.kill('SIGTERM'))
    const [code] = await ended
    process.exitCode = code ?? 1
  } finally {
    await keycloak.stop()
  }
  process.exit()
}
