import { shareableChanges } from '@quayside/values/merge/delta'
import { YamlRefused } from '@quayside/values/yaml/yaml-document'
import IconLink from '@tabler/icons-react/dist/esm/icons/IconLink.mjs'
import { useState } from 'react'
import { linkTo } from '../../../../api/deployments/values-link.ts'
import { Button } from '../../../../ui/actions/button.tsx'
import { texts } from '../../texts.ts'
import styles from './presets/presets-menu.module.css'

interface Props {
  versionId: string
  yaml: string
  defaults: string
  schema: unknown
}

const saidForMs = 2500
const t = texts.presets

/** Copies an address that opens this wizard with these values, without any masked value. */
export function CopyLink({ versionId, yaml, defaults, schema }: Props) {
  const [said, setSaid] = useState('')
  const copy = async () => {
    setSaid(await copied())
    setTimeout(() => setSaid(''), saidForMs)
  }
  async function copied(): Promise<string> {
    try {
      const link = await linkTo(catalogUrl(), versionId, shareableChanges(yaml, defaults, schema))
      if (link === undefined) return t.tooLong
      await navigator.clipboard.writeText(link)
      return t.copied
    } catch (error) {
      if (error instanceof YamlRefused) return t.notYaml
      if (error instanceof DOMException) return t.noClipboard
      throw error
    }
  }
  return (
    <>
      <span role="status" className={styles.about}>
        {said}
      </span>
      <Button small icon={IconLink} onClick={() => void copy()}>
        {t.copyLink}
      </Button>
    </>
  )
}

function catalogUrl(): string {
  return new URL('/en/catalog/apps', window.location.href).href
}
