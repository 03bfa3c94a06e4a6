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

package io.github.zklock.zookeeper.client;

import java.io.EOFException;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.nio.charset.StandardCharsets;
import java.security.NoSuchAlgorithmException;
import java.security.cert.CertificateException;
import java.security.cert.CertificateExpiredException;
import java.security.cert.CertificateNotYetValidException;
import java.util.function.Supplier;

import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLSocket;

import io.github.zklock.core.internal.LockKeys;
import org.jspecify.annotations.Nullable;

/**
 * Finds out why a connection to a server fails, with a connection of its own, since
 * ZooKeeper's client does not report that. Sends only the plain-text command for the
 * server's state, and checks only TLS.
 *
 * @since 0.1.0
 */
public final class ServerProbe {

	private static final int TIMEOUT_MS = 2000;

	// One of the commands that a server answers in plain text.
	private static final byte[] QUESTION = "srvr".getBytes(StandardCharsets.US_ASCII);

	private static final String ALERT = "Received fatal alert: ";

	private final String property;

	private final @Nullable Supplier<Tls> tls;

	/**
	 * Create a probe.
	 * @param property the property that names the SSL bundle
	 * @param tls the TLS settings of the client, if it speaks TLS
	 */
	public ServerProbe(String property, @Nullable Supplier<Tls> tls) {
		this.property = property;
		this.tls = tls;
	}

	/**
	 * Return the problem with TLS between the client and a server, if there is one.
	 * @throws NoAnswerException if it is worth a try to ask the server again later
	 */
	@Nullable String problem(InetSocketAddress server) throws NoAnswerException {
		String problem = problemOf(server);
		// Its certificate and alerts are texts of a stranger.
		return (problem != null) ? LockKeys.printable(problem) : null;
	}

	private @Nullable String problemOf(InetSocketAddress server) throws NoAnswerException {
		String name = server.getHostString() + ":" + server.getPort();
		if (this.tls != null) {
			return problem(server, name, this.tls.get());
		}
		return (!answersInPlain(server) && speaksTls(server))
				? name + " speaks TLS, but " + this.property + " is not set" : null;
	}

	private @Nullable String problem(InetSocketAddress server, String name, Tls tls) throws NoAnswerException {
		try (SSLSocket socket = secure(server, tls.context())) {
			SSLParameters parameters = socket.getSSLParameters();
			parameters.setEndpointIdentificationAlgorithm("HTTPS");
			if (tls.protocols() != null) {
				parameters.setProtocols(tls.protocols());
			}
			if (tls.ciphers() != null) {
				parameters.setCipherSuites(tls.ciphers());
			}
			socket.setSSLParameters(parameters);
			socket.startHandshake();
			// Only now the server shows whether it accepts the client's certificate.
			// Nothing may be written before: the alert of a refusal would be lost with
			// the connection.
			socket.getInputStream().read();
			throw new NoAnswerException(new IOException("The server says nothing"));
		}
		catch (NoAnswerException ex) {
			throw ex;
		}
		catch (SocketTimeoutException ex) {
			throw new NoAnswerException(ex);
		}
		catch (IOException ex) {
			CertificateException certificate = find(ex, CertificateException.class);
			if (certificate != null) {
				return "the certificate of " + name + " " + problem(ex, certificate);
			}
			if (answersInPlain(server)) {
				return name + " does not speak TLS, but " + this.property + " is set";
			}
			if (ex instanceof SSLException && find(ex, EOFException.class) == null) {
				return refusal(name, ex);
			}
			throw new NoAnswerException(ex);
		}
	}

	private String problem(IOException failure, CertificateException certificate) {
		CertificateExpiredException expired = find(failure, CertificateExpiredException.class);
		if (expired != null) {
			return "has expired (" + expired.getMessage() + ")";
		}
		CertificateNotYetValidException early = find(failure, CertificateNotYetValidException.class);
		if (early != null) {
			return "is not valid yet (" + early.getMessage() + ")";
		}
		return (certificate.getCause() != null)
				? "is not one that " + this.property + " trusts (" + deepest(certificate).getMessage() + ")"
				: "is not for that host (" + certificate.getMessage() + ")";
	}

	private static String refusal(String name, IOException failure) {
		String message = String.valueOf(failure.getMessage());
		// JDK 25 puts the name of the alert before it as well.
		int start = message.indexOf(ALERT);
		if (start < 0) {
			return "TLS with " + name + " fails (" + message + ")";
		}
		String alert = message.substring(start + ALERT.length());
		return name + " refuses "
				+ ((alert.contains("cert") || alert.contains("unknown_ca"))
						? "the certificate of this client, or misses it" : "the TLS of this client")
				+ " (" + alert + ")";
	}

	private static boolean answersInPlain(InetSocketAddress server) throws NoAnswerException {
		try (Socket socket = open(server)) {
			return Character.isLetter(ask(socket));
		}
		catch (NoAnswerException ex) {
			throw ex;
		}
		catch (IOException ex) {
			return false;
		}
	}

	// The certificate of the server does not matter here.
	private static boolean speaksTls(InetSocketAddress server) throws NoAnswerException {
		try (SSLSocket socket = secure(server, SSLContext.getDefault())) {
			socket.startHandshake();
			return true;
		}
		catch (NoAnswerException ex) {
			throw ex;
		}
		catch (SocketTimeoutException ex) {
			throw new NoAnswerException(ex);
		}
		catch (SSLException ex) {
			return find(ex, CertificateException.class) != null || String.valueOf(ex.getMessage()).contains(ALERT);
		}
		catch (IOException | NoSuchAlgorithmException ex) {
			return false;
		}
	}

	private static int ask(Socket socket) throws IOException {
		socket.getOutputStream().write(QUESTION);
		socket.getOutputStream().flush();
		return socket.getInputStream().read();
	}

	private static SSLSocket secure(InetSocketAddress server, SSLContext context) throws IOException {
		Socket socket = open(server);
		try {
			return (SSLSocket) context.getSocketFactory()
				.createSocket(socket, server.getHostString(), server.getPort(), true);
		}
		catch (IOException ex) {
			socket.close();
			throw ex;
		}
	}

	private static Socket open(InetSocketAddress server) throws IOException {
		Socket socket = new Socket();
		try {
			socket.setSoTimeout(TIMEOUT_MS);
			socket.connect(server, TIMEOUT_MS);
			return socket;
		}
		catch (IOException ex) {
			socket.close();
			throw new NoAnswerException(ex);
		}
	}

	private static <T extends Throwable> @Nullable T find(Throwable failure, Class<T> type) {
		for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
			if (type.isInstance(cause)) {
				return type.cast(cause);
			}
		}
		return null;
	}

	private static Throwable deepest(Throwable failure) {
		Throwable deepest = failure;
		while (deepest.getCause() != null) {
			deepest = deepest.getCause();
		}
		return deepest;
	}

	/**
	 * The TLS settings of a client.
	 *
	 * @param context the context
	 * @param protocols the protocols, or {@code null} for all that the JVM has
	 * @param ciphers the cipher suites, or {@code null} for all that the JVM has
	 */
	public record Tls(SSLContext context, String @Nullable [] protocols, String @Nullable [] ciphers) {

	}

	/**
	 * A server takes no connection, or is too slow, or shows no problem yet.
	 */
	static final class NoAnswerException extends IOException {

		private static final long serialVersionUID = 1L;

		NoAnswerException(IOException cause) {
			super(cause);
		}

	}

}
