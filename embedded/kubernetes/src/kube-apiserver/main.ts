import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { buildPrograms, goVersion } from './build.ts'
import { pretendPods } from './pretend-pods.ts'
import { runCluster } from './run.ts'

const USAGE = `npm run kube-apiserver [-- <command> …]

Builds a real kube-apiserver, its controllers and etcd from Go modules and starts them. With a command, runs it with
KUBECONFIG set and ends with its code; else runs until it is interrupted. With PRETEND_PODS=true pods are said to run,
although there are no nodes.`

const words = process.argv.slice(2)

if (words[0] === '--help') console.log(USAGE)
else if (!goVersion()) console.log('There is no Go here, so no real kube-apiserver can be built: skipped.')
else await run(words)

async function run([command, ...args]: string[]): Promise<void> {
  const cluster = await runCluster(await buildPrograms((line) => console.error(line)))
  const pods = process.env.PRETEND_PODS === 'true' ? pretendPods(cluster.kubeconfig) : undefined
  const interrupted = Promise.race([once(process, 'SIGINT'), once(process, 'SIGTERM')])
  try {
    if (!command) {
      console.log(`KUBECONFIG=${cluster.kubeconfig}`)
      await interrupted
      return
    }
    const child = spawn(command, args, { stdio: 'inherit', env: { ...process.env, KUBECONFIG: cluster.kubeconfig } })
    const ended = once(child, 'exit')
    void interrupted.then(() => child.kill('SIGTERM'))
    const [code] = await ended
    process.exitCode = code ?? 1
  } finally {
    await pods?.stop()
    await cluster.stop()
  }
  process.exit()
}
