import IconDownload from '@tabler/icons-react/dist/esm/icons/IconDownload.mjs'
import IconX from '@tabler/icons-react/dist/esm/icons/IconX.mjs'
import { useEffect, useId, useRef, useState } from 'react'
import { usePods } from '../../../api/workloads.ts'
import { Button, IconButton } from '../../../ui/actions/button.tsx'
import { Checkbox } from '../../../ui/forms/checkbox.tsx'
import { SearchField } from '../../../ui/forms/search-field.tsx'
import { Select } from '../../../ui/forms/select.tsx'
import { Panel } from '../../../ui/layout/panel.tsx'
import styles from './app-workloads.module.css'
import { usePodLog } from './use-pod-log.ts'

interface Props {
  appId: string
  podName: string
  onClose: () => void
}

/** The log of one pod: follow, earlier container, search, download. */
export function PodLog({ appId, podName, onClose }: Props) {
  const pod = usePods(appId).data?.data.find(({ name }) => name === podName)
  const [container, setContainer] = useState<string>()
  const [previous, setPrevious] = useState(false)
  const [follow, setFollow] = useState(true)
  const [search, setSearch] = useState('')
  const select = useId()
  const box = useRef<HTMLPreElement>(null)
  const chosen = container ?? pod?.containers.find(({ init }) => !init)?.name
  const { text, error } = usePodLog(appId, podName, { container: chosen, previous, follow })
  const wanted = search.trim().toLowerCase()
  const shown =
    wanted === ''
      ? text
      : text
          .split('\n')
          .filter((line) => line.toLowerCase().includes(wanted))
          .join('\n')

  useEffect(() => {
    if (follow && shown !== '') box.current?.scrollTo({ top: box.current.scrollHeight })
  }, [follow, shown])

  return (
    <Panel title={`Log of ${podName}`} aside={<IconButton icon={IconX} label="Close the log" onClick={onClose} />}>
      <div className={styles.controls}>
        <label htmlFor={select} className="unseen">
          Container
        </label>
        <Select
          id={select}
          className={styles.select}
          value={chosen ?? ''}
          onChange={(event) => setContainer(event.target.value)}
        >
          {pod?.containers.map(({ name, init }) => (
            <option key={name} value={name}>
              {init ? `${name} (init)` : name}
            </option>
          ))}
        </Select>
        <Checkbox checked={follow} disabled={previous} onChange={setFollow}>
          Follow
        </Checkbox>
        <Checkbox checked={previous} onChange={setPrevious}>
          Previous container
        </Checkbox>
        <SearchField label="Text in the log" value={search} onChange={setSearch} />
        <Button small icon={IconDownload} onClick={() => download(`${podName}.log`, text)}>
          Download
        </Button>
      </div>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by keyboard. */}
      <pre ref={box} className={styles.log} dir="ltr" role="log" aria-label={`Log of ${podName}`} tabIndex={0}>
        {error ?? (shown === '' ? 'No lines yet.' : shown)}
      </pre>
    </Panel>
  )
}

function download(name: string, text: string): void {
  const link = document.createElement('a')
  link.href = URL.createObjectURL(new Blob([text], { type: 'text/plain' }))
  link.download = name
  link.click()
  URL.revokeObjectURL(link.href)
}
