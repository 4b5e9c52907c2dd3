import { spawn, spawnSync } from 'node:child_process'
import { createHash, X509Certificate } from 'node:crypto'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { freePort } from '@fastify-accounts/test-support/free-port'

const executablePath = [
  process.env.NGINX,
  '/usr/sbin/nginx',
  '/usr/bin/nginx',
  '/opt/homebrew/bin/nginx',
].find((place) => place !== undefined && existsSync(place))

/** Whether there is an nginx to put in front of a service, and openssl for its certificate; says so in one line where not. */
export function isNginxHere(): boolean {
  if (executablePath !== undefined && spawnSync('openssl', ['version']).status === 0) return true
  const line =
    'No nginx with openssl: tests behind a real proxy are skipped (apt-get install nginx-light openssl, or set NGINX)'
  if (process.env.CI) throw new Error(line)
  console.warn(line)
  return false
}

/** What nginx serves under one name. */
export type Site =
  | { /** Port of a service on 127.0.0.1. */ proxyTo: number }
  | { /** A file for each path. */ pages: Record<string, string> }

export interface Nginx {
  port: { https: number; http: number }
  certificate: string
  /** For Chromium: names lead here, and the certificate is good, though nobody has signed it. */
  chromiumArgs: string[]
  stop(): Promise<void>
}

/**
 * Starts an nginx of the test's own: each name over https, with a certificate that is made for it, and over http.
 * @param sites by name
 */
export async function startNginx(sites: Record<string, Site>): Promise<Nginx> {
  const folder = await mkdtemp(join(tmpdir(), 'accounts-nginx-'))
  const names = Object.keys(sites)
  const certificate = await makeCertificate(folder, names)
  const [https, http] = [await freePort(), await freePort()]
  for (const [name, site] of Object.entries(sites)) {
    if (!('pages' in site)) continue
    await mkdir(join(folder, name))
    for (const [page, html] of Object.entries(site.pages)) await writeFile(join(folder, name, page), html)
  }
  const stop = await run(folder, servers(folder, sites, { https, http }), https)
  const spki = new X509Certificate(certificate).publicKey.export({ type: 'spki', format: 'der' })
  const rules = names.flatMap((name) => [
    `MAP ${name}:443 127.0.0.1:${https}`,
    `MAP ${name}:80 127.0.0.1:${http}`,
  ])
  return {
    port: { https, http },
    certificate,
    chromiumArgs: [
      `--host-resolver-rules=${rules.join(',')}`,
      `--ignore-certificate-errors-spki-list=${createHash('sha256').update(spki).digest('base64')}`,
    ],
    stop,
  }
}

/** Node can read certificates, and not make them. */
async function makeCertificate(folder: string, names: readonly string[]): Promise<string> {
  const [key, certificate] = [join(folder, 'key.pem'), join(folder, 'certificate.pem')]
  const { status, stderr } = spawnSync('openssl', [
    ...['req', '-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes', '-days', '2'],
    ...['-keyout', key, '-out', certificate, '-subj', `/CN=${names[0]}`],
    ...['-addext', `subjectAltName=${names.map((name) => `DNS:${name}`).join(',')}`],
  ])
  if (status !== 0) throw new Error(`openssl made no certificate: ${stderr}`)
  return readFile(certificate, 'utf8')
}

/**
 * Starts an nginx of the test's own with these directives in its http block; what they leave out is nginx's default.
 * @param sites written for this port
 */
export async function startPlainNginx(port: number, sites: string): Promise<{ stop(): Promise<void> }> {
  const folder = await mkdtemp(join(tmpdir(), 'accounts-nginx-'))
  return { stop: await run(folder, sites, port) }
}

/** A certificate of the test's own, with its key, in a folder of its own. */
export async function certificateFor(name: string): Promise<{ certificate: string; key: string }> {
  const folder = await mkdtemp(join(tmpdir(), 'accounts-certificate-'))
  await makeCertificate(folder, [name])
  return { certificate: join(folder, 'certificate.pem'), key: join(folder, 'key.pem') }
}

/** Runs nginx until it answers on the port; returns how to stop it. */
async function run(folder: string, sites: string, port: number): Promise<() => Promise<void>> {
  await writeFile(join(folder, 'nginx.conf'), configuration(folder, sites))
  const nginx = spawn(executablePath ?? '', ['-c', join(folder, 'nginx.conf'), '-p', folder, '-e', 'stderr'])
  const said: string[] = []
  nginx.stderr.on('data', (data) => said.push(String(data)))
  const ended = once(nginx, 'exit')
  const stop = async (): Promise<void> => {
    if (nginx.exitCode === null) nginx.kill('SIGQUIT')
    await ended
    await rm(folder, { recursive: true })
  }
  try {
    await answers(port, () => nginx.exitCode === null)
  } catch (error) {
    await stop()
    throw new Error(`nginx did not start: ${said.join('')}`, { cause: error })
  }
  return stop
}

function servers(folder: string, sites: Record<string, Site>, port: { https: number; http: number }): string {
  const blocks = Object.entries(sites).map(
    ([name, site]) => `
    server {
      listen 127.0.0.1:${port.https} ssl;
      listen 127.0.0.1:${port.http};
      server_name ${name};
      ${'proxyTo' in site ? passOn(site.proxyTo) : `location / { root ${folder}/${name}; default_type text/html; }`}
    }`,
  )
  return `
    ssl_certificate ${folder}/certificate.pem;
    ssl_certificate_key ${folder}/key.pem;
    ${blocks.join('')}`
}

function configuration(folder: string, sites: string): string {
  return `
  daemon off;
  ${process.getuid?.() === 0 ? 'user root;' : ''}
  worker_processes 1;
  pid ${folder}/nginx.pid;
  error_log stderr warn;
  events { worker_connections 256; }
  http {
    access_log off;
    client_body_temp_path ${folder}/body;
    proxy_temp_path ${folder}/proxy;
    fastcgi_temp_path ${folder}/fastcgi;
    uwsgi_temp_path ${folder}/uwsgi;
    scgi_temp_path ${folder}/scgi;
    ${sites}
  }`
}

/** As docs/deployment.md asks of a proxy. */
function passOn(port: number): string {
  return `location / {
        proxy_pass http://127.0.0.1:${port};
        proxy_set_header Host $host;
        proxy_set_header X-Forwarded-For $proxy_add_x_forwarded_for;
        proxy_set_header X-Forwarded-Proto $scheme;
      }`
}

async function answers(port: number, isAlive: () => boolean): Promise<void> {
  for (let tries = 0; tries < 500 && isAlive(); tries += 1) {
    const socket = connect({ port, host: '127.0.0.1' })
    try {
      await once(socket, 'connect')
      return
    } catch {
      await sleep(20)
    } finally {
      socket.destroy()
    }
  }
  throw new Error(`nobody answers on port ${port}`)
}
