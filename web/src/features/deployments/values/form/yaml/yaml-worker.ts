import { type Compared, readYaml, type YamlReading } from './yaml-reading.ts'

export interface Question {
  id: number
  text: string
  compared: Compared | undefined
  schema: unknown
}
export type Answer = YamlReading & { id: number }

addEventListener('message', ({ data }: MessageEvent<Question>) => {
  const answer: Answer = { id: data.id, ...readYaml(data.text, data.compared, data.schema) }
  postMessage(answer)
})
