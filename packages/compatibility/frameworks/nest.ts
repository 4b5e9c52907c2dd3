import 'reflect-metadata'
import {
  type ArgumentsHost,
  type CanActivate,
  Catch,
  Controller,
  type ExceptionFilter,
  type ExecutionContext,
  Get,
  Injectable,
  Module,
  Req,
  UseGuards,
} from '@nestjs/common'
import { NestFactory } from '@nestjs/core'
import { FastifyAdapter, type NestFastifyApplication } from '@nestjs/platform-fastify'
import type { FastifyReply, FastifyRequest } from 'fastify'
import accounts, { AccountsError } from 'fastify-accounts'

@Injectable()
export class LoggedIn implements CanActivate {
  async canActivate(context: ExecutionContext): Promise<boolean> {
    const http = context.switchToHttp()
    const request = http.getRequest<FastifyRequest>()
    await request.server.accounts.requireUser(request, http.getResponse<FastifyReply>())
    return true
  }
}

/** Keeps the plugin's codes and fields; Nest's own filter would only keep the status. */
@Catch(AccountsError)
export class AccountsErrors implements ExceptionFilter<AccountsError> {
  catch(error: AccountsError, host: ArgumentsHost): void {
    host.switchToHttp().getResponse<FastifyReply>().code(error.statusCode).send(error.toJSON())
  }
}

@Controller()
export class HelloController {
  @Get('/hello')
  @UseGuards(LoggedIn)
  hello(@Req() request: FastifyRequest): { hello: string | null | undefined } {
    return { hello: request.user?.username }
  }
}

@Module({ controllers: [HelloController] })
export class AppModule {}

export async function createApp(): Promise<NestFastifyApplication> {
  const app = await NestFactory.create<NestFastifyApplication>(AppModule, new FastifyAdapter())
  app.useGlobalFilters(new AccountsErrors())
  await app.register(accounts, {
    secret: process.env.SECRET,
    baseUrl: 'http://localhost:3000',
    prefix: '/accounts',
    users: true,
  })
  return app
}
