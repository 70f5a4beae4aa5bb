import IconDownload from '@tabler/icons-react/dist/esm/icons/IconDownload.mjs'
import { type ReactNode, useState } from 'react'
import { Button } from './button.tsx'
import type { Right } from './explain.ts'
import { GuardedButton } from './guarded-button.tsx'

interface Props {
  /** The file's name. */
  name: string
  /** Makes the file's text when it is asked for. */
  load: () => Promise<string>
  /** The right that it asks for; left out, everybody may. */
  right?: Right
  children: ReactNode
}

/** Fetches a text when it is pressed and hands it over as a file; says what went wrong when it cannot. */
export function DownloadButton({ name, load, right, children }: Props) {
  const [busy, setBusy] = useState(false)
  const [problem, setProblem] = useState('')

  async function download() {
    setBusy(true)
    setProblem('')
    try {
      saveAs(name, await load())
    } catch (error) {
      setProblem(error instanceof Error ? error.message : String(error))
    } finally {
      setBusy(false)
    }
  }

  const press = { small: true, icon: IconDownload, busy, onClick: () => void download() } as const
  return (
    <>
      {right === undefined ? (
        <Button {...press}>{children}</Button>
      ) : (
        <GuardedButton {...right} {...press}>
          {children}
        </GuardedButton>
      )}
      {problem !== '' && (
        <p role="alert">
          <bdi>{problem}</bdi>
        </p>
      )}
    </>
  )
}

function saveAs(name: string, text: string): void {
  const link = document.createElement('a')
  link.href = URL.createObjectURL(new Blob([text], { type: name.endsWith('.csv') ? 'text/csv' : 'application/yaml' }))
  link.download = name
  link.click()
  URL.revokeObjectURL(link.href)
}
