/*
 * Copyright 2026-present the original author or authors.
 *
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at
 *
 *      https://www.apache.org/licenses/LICENSE-2.0
 *
 * Unless required by applicable law or agreed to in writing, software
 * distributed under the License is distributed on an "AS IS" BASIS,
 * WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 * See the License for the specific language governing permissions and
 * limitations under the License.
 */

package io.github.zklock.sample.node;

import java.io.IOException;
import java.io.Writer;

import org.apache.catalina.connector.Request;
import org.apache.catalina.connector.Response;
import org.apache.catalina.valves.ErrorReportValve;
import org.jspecify.annotations.Nullable;

import org.springframework.boot.web.embedded.tomcat.TomcatServletWebServerFactory;
import org.springframework.boot.web.server.WebServerFactoryCustomizer;
import org.springframework.http.HttpStatus;
import org.springframework.http.MediaType;
import org.springframework.stereotype.Component;

/**
 * What Tomcat refuses before Spring sees it, such as an encoded slash in a path, is not a
 * page of HTML. It is a problem detail as well.
 */
@Component
class TomcatErrors implements WebServerFactoryCustomizer<TomcatServletWebServerFactory> {

	@Override
	public void customize(TomcatServletWebServerFactory factory) {
		factory.addContextCustomizers((context) -> context.getParent().getPipeline().addValve(new ProblemValve()));
	}

	/**
	 * Takes the place of Tomcat's own page.
	 */
	private static final class ProblemValve extends ErrorReportValve {

		@Override
		protected void report(Request request, Response response, @Nullable Throwable failure) {
			HttpStatus status = HttpStatus.resolve(response.getStatus());
			if (status == null || !status.isError() || response.getContentWritten() > 0
					|| !response.setErrorReported()) {
				return;
			}
			try {
				response.setContentType(MediaType.APPLICATION_PROBLEM_JSON_VALUE);
				Writer body = response.getReporter();
				if (body != null) {
					body.write("""
							{"type":"about:blank","title":"%s","status":%d,"detail":"%s"}""".formatted(
							status.getReasonPhrase(), status.value(),
							"The server does not accept this path or header"));
					response.finishResponse();
				}
			}
			catch (IOException ex) {
				// The client does not read the answer any more.
			}
		}

	}

}
